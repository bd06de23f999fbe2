/** German cues of the rules: the plainest only. */
import type { RuleLexicon } from "./rule-lexicon.ts";

export const GERMAN: RuleLexicon = {
  interjections:
    /^(?:(?:ok(?:ay)?|also|und|aber|bitte|ach|übrigens)\b[\s,.!:;–—-]*|(?:nein|nee|halt|stopp?|moment|ja|danke|sehr gut|gut)\s*[,.!:;–—]+\s*)+/i,
  restated:
    /[\s,(–—-]*\b(?:wie (?:ich )?(?:schon |bereits )?(?:gesagt|erwähnt)(?: habe)?|wie (?:schon|bereits|vorhin|letztes Mal) gesagt|noch ?(?:ein)?mal|zum (?:zweiten|dritten|letzten) Mal)\b\)?/gi,
  remember: [
    /^(?:bitte )?(?:merk(?:e)? dir|behalte|notiere(?: dir)?|denk daran|vergiss nicht)[\s:,–—-]*(?:dass\b)?[\s:,]*(?<claim>.+)$/i,
    /^(?:für die zukunft|für später|wichtig für später)[\s:,–—-]+(?<claim>.+)$/i,
  ],
  noted: [/^(?:Achtung|Hinweis|Wichtig)\s*:\s*(?<claim>.+)$/i],
  notRemember: /\b(?:kannst du dich erinnern|erinnerst du)\b/i,
  standing: [
    /^(?<claim>(?:immer|niemals|nie)\b.+)$/i,
    /^(?:ab jetzt|ab sofort|von nun an|in zukunft|künftig|grundsätzlich)[\s,:–—-]+(?<claim>.+)$/i,
    /^(?<claim>(?:in diesem (?:repo|projekt)|bei uns)\b.+)$/i,
    /^(?<claim>wir (?:nutzen|verwenden|benutzen|machen)\b.*\b(?:immer|nie|niemals|nur|kein\w*)\b.+)$/i,
  ],
  general: [],
  correction:
    /^(?:nein\b|nee\b|halt\b|stopp?\b|falsch\b|das ist (?:falsch|nicht richtig)|nicht so\b|stattdessen\b|eigentlich\b)/i,
  notCorrection: /^(?:nein,? (?:danke|alles gut|passt)|halt fest\b)/i,
  decision: [
    /\b(?<claim>wir haben (?:uns )?(?:entschieden|beschlossen|geeinigt)\b.+)$/i,
    /^(?<claim>.{12,}\b(?:absichtlich|mit Absicht|so gewollt|bewusst so)\b.*)$/i,
  ],
  reason: /,?\s+(?:weil|denn|damit|sonst|da (?:wir|es|sie|das))\b/i,
  places:
    /\b(?:dashboard|board|spezifikation|pflichtenheft|wiki|handbuch|runbook|doku(?:mentation)?|tabelle|entwürfe?)\b/i,
  passing: /\b(?:vorerst|gerade|im moment|heute|jetzt noch nicht|noch nicht|diesmal)\b/i,
  status:
    /\b(?:immer noch|noch immer|(?:funktioniert|geht|klappt|läuft) nicht|schlägt|fehlgeschlagen|kaputt|derselbe fehler|gleicher fehler|abgestürzt)\b/i,
  statement:
    /(?<!\p{L})(?:ist|sind|war|waren|hat|haben|hatte|muss|müssen|darf|dürfen|soll|sollen|braucht|brauchen|steht|stehen|läuft|laufen|gilt|gelten|gehört|gehören|kann|können|kommt|liegt|wird|werden|nutzt|verwendet|bleibt|heißt|bedeutet)(?!\p{L})/iu,
  request: /\?\s*$|^(?:kannst|könntest|würdest) du\b/i,
  forbids: /\b(?:nie|niemals|nicht|kein\w{0,2}|vermeide)\b/i,
  preference: /\b(?:bevorzuge|lieber|immer|nie|niemals|bitte)\b|^(?:nutze|verwende|benutze|schreib)/i,
  everywhere: /\b(?:in allen (?:meinen )?projekten|überall)\b/i,
};
