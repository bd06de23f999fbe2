/** English cues of the rules. */
import type { RuleLexicon } from "./rule-lexicon.ts";

/** Not an order but a report: "always fails", "never seen", "always here". */
const NO_HABIT = String.raw`(?!mind\b|again\b|(?:been|saw|seen|had|was|were|knew|thought|heard|got|went|did|came|took|the same|here|there|good|nice|great|happy|fun|too|so|more|has|have|ever|quite|really)\b|\w*(?:[^s]s|ed|ing)\b)`;

export const ENGLISH: RuleLexicon = {
  interjections:
    /^(?:(?:(?:and|also|but|so|then|please|pls|actually|ok(?:ay)?|oh|ah|hey|yes|yeah|fyi|btw|by the way|for your information|one (?:more )?thing)\b[\s,.!:;–—-]*)|(?:(?:no+|nope|nah)(?=\s+(?:use|don't|do not|never|always|please|it|that|this|we|you|I|just|leave|keep|put)\b)\s+)|(?:(?:no+|nope|nah|stop|wait|hold on|well|right|good|nice|perfect|sure|great|thanks|thank you|hmm+|sorry|again|important|careful|wrong|incorrect|(?:that|this|it)(?:'s| is| was) (?:me|on me|my (?:fault|mistake|bad|error)|wrong|incorrect|not (?:right|correct|true))|my (?:bad|mistake|fault))\s*(?:[,.!:;–—]+|\s-)\s*))+/i,
  restated:
    /[\s,(–—-]*\b(?:(?:as|like) (?:I|we)(?:'ve| have)? (?:already |just |often |also )?(?:said|told you|mentioned|explained|asked|wrote|noted)|I(?:'ve| have)? (?:already |just |often )?(?:said|told you|mentioned|asked)(?: you)?(?: (?:this|that|it))? (?:before|already|earlier|last time|many times|twice|so often)|once (?:again|more)|for the (?:second|third|last|hundredth|n-?th) time)(?: (?:before|earlier|already|last time|yesterday|above|once|twice|many times|again|several times))*\b\)?(?:[,:]?\s+(?=that\b|please\b))?/gi,
  remember: [
    /^(?:(?:can|could|will|would) you )?(?:please )?(?:do )?(?:remember|memori[sz]e|make a note|take note|note down|keep in mind|bear in mind)\b(?: (?:for|in) (?:the )?(?:future|next time|later(?: sessions)?))?(?: (?:this|it|the following)(?=[\s]*[:,–—-]))?[\s:,–—-]*(?:that\b|of the fact that\b)?[\s:,]*(?<claim>.+)$/i,
    /^please (?:also )?note(?:\s*:|,? that\b)[\s:,]*(?<claim>.+)$/i,
    /^(?:note to self|note for (?:later|the future|yourself)|note (?:down )?that)[\s:,]+(?<claim>.+)$/i,
    /^(?:please )?(?:do not|don't|never) forget(?: that)?[\s:,]*(?<claim>.+)$/i,
    /^(?:for (?:future reference|the record|next time|later sessions)|for the future)[\s:,–—-]+(?<claim>.+)$/i,
    /^(?:please )?(?:save|store|add|put|write) (?:this|that|it)? ?(?:to|in|into) (?:your |the )?memor(?:y|ies)[\s:,–—-]*(?:that\b)?[\s:,]*(?<claim>.+)$/i,
    /^(?<claim>.{15,}?)[\s,.–—-]+(?:please )?(?:remember (?:that|this)|keep (?:that|this) in mind|note that down|don't forget(?: that| this)?)[.!]*$/i,
  ],
  noted: [/^(?:please )?(?:note|n\.?b\.?)(?:\s*:|,? that\b)[\s:,]*(?<claim>.+)$/i],
  notRemember:
    /\b(?:do you|don't you|I|we|can't|cannot|if I|as far as I|you might|you may) (?:remember|recall)\b|\bremember (?:when|how|what|why|where|the time|last)\b|\bremember me\b/i,
  standing: [
    /^(?<claim>.{8,}?,\s(?:always|every time|without exception|in every case|no exceptions)(?=\s*(?:[,.;!]|$|not\b|even\b)).*)$/i,
    /^(?<claim>.*\b(?:the (?:form|format|way|style|structure|layout)|how|what) (?:I|we) (?:want|like|prefer|expect|need)\b.*\b(?:for|in|on|with) (?:all|every|each|any|future)\b.+)$/i,
    /^(?<claim>please (?:do not|don't) (?:use|add|write|create|commit|push|run|install|put|touch|edit|change|make|call|import|mock|log|introduce|rename|reformat|format|open|delete|remove|leave|mix)(?: any| new| extra)? (?!(?:the|this|that|these|those|it|them|my|your|me|us|yet|now|so|too|any|anything|everything|all|until|here)\b)\p{L}.+)$/iu,
    new RegExp(
      `^(?:.{2,60}?[,:;–—]\\s+(?:(?:and|but|so|please) )*)(?<claim>(?:always|never) ${NO_HABIT}[a-z]+ .+)$`,
      "i",
    ),
    new RegExp(`^(?:(?:you|we|one) (?:should|must|need to|have to) )?(?<claim>(?:always|never),? ${NO_HABIT}.+)$`, "i"),
    /^(?:from now on|going forward|in (?:the )?future|from here on|as a rule|in general)[\s,:–—-]+(?<claim>.+)$/i,
    /^(?<claim>.{12,}?)[\s,–—-]+(?:from now on|going forward|as a rule)[.!]*$/i,
    /^(?<claim>(?:please |you (?:should|must|can) )?(?:use|run|write|keep|put|name|make|call|follow|format|ask|check|do|don't|do not|never|avoid|leave|start|prefer|show|tell|let)\b.{8,}?)[\s,–—-]+(?:in (?:the )?future|next time)[.!]*$/i,
    /^(?<claim>.{12,}?\b(?:from now on|going forward)\b.+)$/i,
    /^(?<claim>(?:in|on|for|across) (?:this|our) (?:repo(?:sitory)?|project|code ?base|team|monorepo|package|workspace),? .*\b(?:we|use|uses|must|always|never|only|is|are|goes?|should)\b.+)$/i,
    /^(?<claim>we (?:always|never|only|must|use|prefer|(?:don't|do not) (?!know|understand|see|think|have|remember|get|care|worry|believe|mean|agree|plan)[a-z]+)\b.+)$/i,
    /^(?<claim>(?:I|we) (?:always |strongly |generally |really )?(?:prefer|hate|dislike|(?:don't|do not) (?:like|want(?! to (?!see\b|have\b))))\b.{12,})$/i,
    /^(?<claim>(?:I|we) (?:want|like|expect)\b(?! to\b).+\b(?:always|never|every time|by default|instead of|rather than|not (?!only\b))\b.+)$/i,
    /^(?<claim>(?:do not|don't|never) (?:ever )?[a-z]+\b.+\b(?:ever|again|in this (?:repo|project|code ?base)|by hand|directly|manually|without)\b.*)$/i,
    /^(?<claim>(?:every|each|any|all) (?:new |public |single )?(?:commits?|prs?|pull requests?|migrations?|tests?|branch(?:es)?|releases?|changes?|tickets?|reviews?|deploy(?:ment)?s?|dependenc(?:y|ies)|functions?|modules?|files?|endpoints?|packages?|scripts?|quer(?:y|ies)|notebooks?|numbers?|claims?|sources?)\b.{0,40}\b(?:must|should|needs? to|has to|have to|goes|gets?)\b.+)$/i,
    /^(?<claim>(?:every|each|any|all) (?!time\b).{3,60}\b(?:must|has to|have to)\b(?! (?:be (?:able|possible)|work)\b).+)$/i,
  ],
  general: [
    /^(?<claim>(?:every|each|any|all) (?!time\b).{3,60}\b(?:should|needs? to|goes|gets?)\b.+)$/i,
    /^(?<claim>(?:I|we) (?:want|like|expect|need)\b(?! to\b).+\b(?:every|each|all|any)\b.+)$/i,
    /^(?<claim>for (?:each|every|all|any) .{3,60}\b(?:I|we) (?:need|want|expect|use)\b.+)$/i,
  ],
  correction:
    /^(?:no+(?=\s*(?:[,.!:;–—]|\s-|$)|\s+(?:use|don't|do|never|always|please|it|that|this|the|there|they|our|all|every|we|you|I|just|not|leave|keep|put|make)\b)|nope\b|nah\b|stop\b|wait\b|hold on\b|actually\b|instead\b|not (?:like )?that\b|don't\b|do not\b|please don't\b|that(?:'s| is) (?:wrong|not (?:right|correct|what|how|it))|this is (?:wrong|not)|(?:wrong|incorrect)(?=\s*(?:[,.!:;–—]|$))|(?:leave|keep|take) .{1,40} out\b|[^!?,;:]{1,40}\b(?:is|are) (?:far |way |much |still )?too \p{L}+(?=,\s+(?:the|our|it|they|we|this|that|\p{L}+ (?:is|are))\b)|you (?:forgot|missed|broke|shouldn't|should not|should have|used)|why (?:did|are) you\b|undo\b|revert\b|you're (?:wrong|using the wrong)|I (?:said|told you|asked)\b)/iu,
  notCorrection:
    /^(?:no (?:problem|worries|need|rush|hurry|further|more (?:questions|changes)|thanks|thank you|issues?|that's (?:fine|ok|good|great|all))|nope,? (?:that's|all) (?:fine|good|all)|actually,? (?:that|this|it)(?:'s| is)? (?:looks? |works?|great|good|fine|perfect|right|correct)|wait,? (?:that|it) works?|don't worry|do not worry|stop here|not that (?:I|it)\b)/i,
  decision: [
    /^(?<claim>(?:the|our|my|all|since|in|a|an) .{8,}?,\s(?:everywhere|for everyone)(?=\s*(?:[,.;!]|$|not\b|even\b)).*)$/i,
    /^(?!.*\b(?:(?:not|n't|was it|were they) (?:on purpose|deliberate|intentional|by design)|(?:if|whether|not sure|looks? like|seems?|maybe|perhaps)\b))(?<claim>.{12,}\b(?:on purpose|deliberate(?:ly)?|intentional(?:ly)?|by design|not a bug(?=\s*(?:[,.;!]|$)))(?!\w).*)$/i,
    /^(?<claim>.*\b(?:the|our|my) (?:board|client|customers?|team|management|boss|legal|security|compliance|auditors?|bank|vendor|regulator|partners?)(?: team| department)? (?:now |explicitly |still )?(?:only (?:wants?|accepts?|takes?|allows?|needs?)|requires?|insists?|forbids?|(?:does|do)(?: not|n't) (?:want|allow|accept|take))\b.+)$/i,
    /^(?<claim>(?:by )?["“]?[\p{L}-]{3,30}["”]?,? (?:in|for|on) (?:our|this|these) [\p{L}]{2,20}(?: [\p{L}]{2,20})? (?:means|refers to|stands for|is defined as)\b.+)$/iu,
    /^(?<claim>by ["“]?[\p{L} -]{3,30}["”]?,? (?:we|I) mean\b.+)$/iu,
    /\b(?<claim>(?:we|the team|product|management|legal|design|[A-Z][a-z]+) (?:have |has )?(?:decided|agreed|chose|settled)(?: to| on| that| against| for)?\b(?! (?:the same|so|this|it)\b).+)$/,
    /^(?<claim>(?:let's|let us|we(?:'ll| will|'re going to| are going to)|we're) (?:go(?:ing)? with|stick(?:ing)? (?:with|to)|keep(?:ing)?|use|using|stay(?:ing)? (?:with|on))\b.+\b(?:because|since|so that|as (?:it|they|we|the|this|that))\b.+)$/i,
    /^(?:the )?decision(?: is| was)?[\s:]+(?:to |that )?(?<claim>.+)$/i,
  ],
  reason: /,?\s+(?:\(|[–—-]\s+)?(?:because|since|so that|otherwise|or else|as (?:it|they|we|the|this|that)|due to)\b/i,
  places:
    /\b(?:dashboard|tracker|issue tracker|queue|tickets?|vault|archive|registry|portal|console|bucket|catalog(?:ue)?|calendar|inventory|mailing list|channel|kanban|board|spec(?:ification)?s?|design (?:doc|file)s?|designs?|mock-?ups?|runbook|playbook|wiki|handbook|style ?guide|guidelines|api (?:docs|reference)|documentation|docs|logs|metrics|alerts|monitoring|status page|staging|environment|sheet|spreadsheet|backlog|roadmap|rfc|adr|figma|grafana|sentry|kibana|jira|linear|confluence|notion)\b/i,
  passing:
    /(?<!\b(?:always|never)\b.*)\byet\b|\b(?:for now|currently|at present|so far|these days|right now|just now|at the moment|this time|today|tonight|tomorrow|until I|for the moment|in this (?:commit|pr|session|branch|run)|just this once|here in the chat|while I)\b/i,
  status:
    /\b(?:still|(?:does|do|did|is|are)(?:n't| not) (?:work|compil|pass|build|run|fix|help|load|start|show)\w*|not (?:working|passing|fixed|there)|fails?|failing|failed|broken|broke|crash\w*|hangs?|same (?:error|problem|issue|result|thing)|error again|wrong (?:file|place|line|one|test|branch)|(?:should|must) (?:now )?work now)\b/i,
  statement:
    /\b(?:is|are|was|were|has|have|had|uses?|needs?|must|should|means?|runs?|lives?|comes?|goes|can|can't|cannot|don't|doesn't|won't|never|always|only|belongs?|happens?|happened|breaks?|costs?|takes?|took|holds?|expects?|knows?|counts?|listens?|reads?|writes?|sends?|wants?|requires?|depends?|becomes?|gets?)\b/i,
  request:
    /\?\s*$|^(?:can|could|would|will) (?:you|we)\b|^(?:let's|let me|I'll|I will|I'm|go ahead|try|continue|now|next|then|first)\b/i,
  forbids:
    /\b(?:never|don't|do not|must not|mustn't|should not|shouldn't|avoid|not allowed|no longer|stop)\b|^no (?=[a-z])/i,
  preference:
    /\bprefer\b|\b(?:I|we) (?:like|want|hate|dislike|expect)\b|^(?:always|never|please|use|run|write|keep|put|name|add|make|call|follow|format|indent|avoid|don't|do not|stop)\b/i,
  everywhere:
    /\b(?:in (?:all|every|any) (?:of )?(?:my )?(?:projects?|repos(?:itories)?)|everywhere I|globally|whatever the project)\b/i,
};
