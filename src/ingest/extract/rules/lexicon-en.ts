/** English cues of the rules. */
import type { RuleLexicon } from "./lexicon.ts";

export const ENGLISH: RuleLexicon = {
  interjections:
    /^(?:(?:no+|nope|nah|stop|wait|hold on|hey|ok(?:ay)?|oh|well|so|and|also|but|right|yes|yeah|sure|great|thanks|thank you|hmm+|ah|please|pls|actually|sorry|again|fyi|btw|by the way|one more thing|one thing|important|careful|(?:that|this)(?:'s| is) (?:wrong|incorrect|not (?:right|correct|true))|wrong|incorrect)\b[\s,.!:;–—-]*)+/i,
  remember: [
    /^(?:(?:can|could|will|would) you )?(?:please )?(?:do )?(?:remember|memori[sz]e|make a note|take note|note down|keep in mind|bear in mind)\b(?: (?:for|in) (?:the )?(?:future|next time|later(?: sessions)?))?(?: (?:this|the following))?[\s:,–—-]*(?:that\b|of the fact that\b)?[\s:,]*(?<claim>.+)$/i,
    /^(?:please )?(?:note|n\.?b\.?)(?:\s*:|,? that\b)[\s:,]*(?<claim>.+)$/i,
    /^(?:please )?(?:do not|don't|never) forget(?: that)?[\s:,]*(?<claim>.+)$/i,
    /^(?:for (?:future reference|the record|next time|later sessions)|for the future)[\s:,–—-]+(?<claim>.+)$/i,
    /^(?:please )?(?:save|store|add|put|write) (?:this|that|it)? ?(?:to|in|into) (?:your |the )?memor(?:y|ies)[\s:,–—-]*(?:that\b)?[\s:,]*(?<claim>.+)$/i,
    /^(?<claim>.{15,}?)[\s,.–—-]+(?:please )?(?:remember (?:that|this)|keep (?:that|this) in mind|note that down|don't forget(?: that| this)?)[.!]*$/i,
  ],
  notRemember:
    /\b(?:do you|don't you|I|we|can't|cannot|if I|as far as I|you might|you may) (?:remember|recall)\b|\bremember (?:when|how|what|why|where|the time|last)\b|\bremember me\b/i,
  standing: [
    /^(?:(?:you|we|one) (?:should|must|need to|have to) )?(?<claim>(?:always|never)\b.+)$/i,
    /^(?:from now on|going forward|in (?:the )?future|from here on|as a rule|in general)[\s,:–—-]+(?<claim>.+)$/i,
    /^(?<claim>.{12,}?)[\s,–—-]+(?:from now on|going forward|in (?:the )?future|as a rule)[.!]*$/i,
    /^(?<claim>.{12,}?\b(?:from now on|going forward)\b.+)$/i,
    /^(?<claim>(?:in|on|for|across) (?:this|our) (?:repo(?:sitory)?|project|code ?base|team|monorepo|package|workspace),? .*\b(?:we|use|uses|must|always|never|only|is|are|goes?|should)\b.+)$/i,
    /^(?<claim>we (?:always|never|don't|do not|only|must|use|prefer)\b.+)$/i,
    /^(?<claim>(?:I|we) (?:always |strongly |generally )?(?:prefer|want|like|expect|hate|dislike)\b.+\b(?:always|never|every|all|any|over|to|not|instead|rather)\b.+)$/i,
    /^(?<claim>(?:do not|don't|never) (?:ever )?[a-z]+\b.+\b(?:ever|again|in this (?:repo|project|code ?base)|by hand|directly|manually|without)\b.*)$/i,
    /^(?<claim>(?:every|each|all) .{3,60}\b(?:must|should|needs? to|has to|have to|goes?|gets?)\b.+)$/i,
  ],
  correction:
    /^(?:no+\b(?! idea| clue)|nope\b|nah\b|stop\b|wait\b|hold on\b|actually\b|instead\b|not (?:like )?that\b|don't\b|do not\b|please don't\b|that(?:'s| is) (?:wrong|not (?:right|correct|what|how|it))|this is (?:wrong|not)|wrong\b|incorrect\b|you (?:forgot|missed|broke|shouldn't|should not|should have|used)|why (?:did|are) you\b|undo\b|revert\b|you're (?:wrong|using the wrong)|I (?:said|told you|asked)\b)/i,
  notCorrection:
    /^(?:no (?:problem|worries|need|rush|hurry|further|more (?:questions|changes)|thanks|thank you|issues?|that's (?:fine|ok|good|great|all))|nope,? (?:that's|all) (?:fine|good|all)|actually,? (?:that|this|it)(?:'s| is)? (?:looks? |works?|great|good|fine|perfect|right|correct)|wait,? (?:that|it) works?|don't worry|do not worry|stop here|not that (?:I|it)\b)/i,
  decision: [
    /\b(?<claim>(?:we|the team|product|management|legal|design|[A-Z][a-z]+) (?:have |has )?(?:decided|agreed|chose|settled)(?: to| on| that| against| for)?\b.+)$/,
    /^(?<claim>(?:let's|let us|we(?:'ll| will|'re going to| are going to)|we're) (?:go(?:ing)? with|stick(?:ing)? (?:with|to)|keep(?:ing)?|use|using|stay(?:ing)? (?:with|on))\b.+\b(?:because|since|so that|as)\b.+)$/i,
    /^(?:the )?decision(?: is| was)?[\s:]+(?:to |that )?(?<claim>.+)$/i,
  ],
  reason: /,?\s+(?:\(|[–—-]\s+)?(?:because|since|so that|otherwise|or else|as (?:it|they|we|the|this|that)|due to)\b/i,
  places:
    /\b(?:dashboard|tracker|issue tracker|kanban|board|spec(?:ification)?s?|design (?:doc|file)s?|designs?|mock-?ups?|runbook|playbook|wiki|handbook|style ?guide|guidelines|api (?:docs|reference)|documentation|docs|logs|metrics|alerts|monitoring|status page|staging|environment|sheet|spreadsheet|backlog|roadmap|rfc|adr|figma|grafana|sentry|kibana|jira|linear|confluence|notion)\b/i,
  passing:
    /\b(?:yet|for now|right now|just now|at the moment|this time|today|tonight|tomorrow|until I|for the moment|in this (?:commit|pr|session|branch|run)|just this once|here in the chat|while I)\b/i,
  request:
    /\?\s*$|^(?:can|could|would|will) (?:you|we)\b|^(?:let's|let me|I'll|I will|I'm|go ahead|try|continue|now|next|then|first)\b/i,
  forbids: /\b(?:never|don't|do not|must not|mustn't|should not|shouldn't|avoid|not allowed|no longer|stop)\b/i,
  preference:
    /\bprefer\b|\b(?:I|we) (?:like|want|hate|dislike|expect)\b|^(?:always|never|please|use|run|write|keep|put|name|add|make|call|follow|format|indent|avoid|don't|do not|stop)\b/i,
  everywhere:
    /\b(?:in (?:all|every|any) (?:of )?(?:my )?(?:projects?|repos(?:itories)?)|everywhere I|globally|whatever the project)\b/i,
};
