/** French cues of the rules: the plainest only. */
import type { RuleLexicon } from "./rule-lexicon.ts";

export const FRENCH: RuleLexicon = {
  interjections:
    /^(?:(?:ok|d'accord|et|mais|alors|s'il te plaît|stp)(?=[\s,.!:;–—-])[\s,.!:;–—-]*|(?:non|stop|attends?|merci|oui)\s*[,.!:;–—]+\s*)+/i,
  restated:
    /[\s,(–—-]*\b(?:comme (?:je (?:te )?)?l'ai (?:déjà )?(?:dit|mentionné)|comme (?:déjà )?dit|encore une fois|une fois de plus)(?![\p{L}])\)?/giu,
  remember: [
    /^(?:s'il te plaît,? )?(?:souviens-toi|rappelle-toi|retiens|note(?= bien\b| que\b| qu')|n'oublie pas)(?: bien)?[\s:,–—-]*(?:que\b|qu')?[\s:,]*(?<claim>.+)$/i,
    /^pour (?:la prochaine fois|la suite|plus tard)[\s:,–—-]+(?<claim>.+)$/i,
  ],
  noted: [/^(?:note|attention|important)\s*:\s*(?<claim>.+)$/i],
  notRemember: /\b(?:tu te souviens|te rappelles-tu)\b/i,
  standing: [
    /^(?<claim>toujours\b.+)$/i,
    /^(?<claim>ne .{2,60}\bjamais\b.+)$/i,
    /^(?:désormais|à partir de maintenant|dorénavant|en général)[\s,:–—-]+(?<claim>.+)$/i,
    /^(?<claim>dans ce (?:dépôt|projet|repo)\b.+)$/i,
  ],
  general: [],
  correction: /^(?:non\b|stop\b|attends?\b|c'est faux\b|pas comme ça\b|plutôt\b|en fait\b)/i,
  notCorrection: /^(?:non,? (?:merci|c'est bon|ça va)|en fait,? c'est (?:bon|parfait))/i,
  decision: [
    /\b(?<claim>(?:nous avons|on a) (?:décidé|convenu|choisi)(?!\p{L}).+)$/iu,
    /^(?<claim>.{12,}\b(?:exprès|volontairement|c'est voulu)(?!\p{L}).*)$/iu,
  ],
  reason: /,?\s+(?:parce qu|car\b|puisqu|sinon\b|afin )/i,
  places: /\b(?:tableau de bord|dashboard|cahier des charges|wiki|documentation|maquettes?|runbook)\b/i,
  passing: /\b(?:pour l'instant|pour le moment|aujourd'hui|cette fois|pas encore)\b/i,
  status:
    /(?<!\p{L})(?:toujours pas|encore (?:cassé|en échec)|ne (?:marche|fonctionne|compile|passe) pas|échoue|échoué|cassé|même erreur|planté)(?!\p{L})/iu,
  statement:
    /(?<!\p{L})(?:est|sont|était|a|ont|doit|doivent|faut|utilise|utilisent|peut|peuvent|va|vont|vit|signifie|tourne|reste)(?!\p{L})/iu,
  request: /\?\s*$|^(?:peux|pourrais)-tu\b/i,
  forbids: /\b(?:jamais|pas|aucun\w?|évite)\b/i,
  preference: /\b(?:préfère|toujours|jamais|plutôt)\b|^(?:utilise|écris|évite)/i,
  everywhere: /\bdans tous (?:mes|les) projets\b/i,
};
