/** French cues of the rules: the plainest only. */
import type { RuleLexicon } from "./lexicon.ts";

export const FRENCH: RuleLexicon = {
  interjections:
    /^(?:(?:non|stop|attends?|ok|d'accord|et|mais|alors|s'il te plaît|stp|merci|oui)(?=[\s,.!:;–—-])[\s,.!:;–—-]*)+/i,
  remember: [
    /^(?:s'il te plaît,? )?(?:souviens-toi|rappelle-toi|retiens|note|n'oublie pas)(?: bien)?[\s:,–—-]*(?:que\b|qu')?[\s:,]*(?<claim>.+)$/i,
    /^pour (?:la prochaine fois|la suite|plus tard)[\s:,–—-]+(?<claim>.+)$/i,
  ],
  notRemember: /\b(?:tu te souviens|te rappelles-tu)\b/i,
  standing: [
    /^(?<claim>toujours\b.+)$/i,
    /^(?<claim>ne .{2,60}\bjamais\b.+)$/i,
    /^(?:désormais|à partir de maintenant|dorénavant|en général)[\s,:–—-]+(?<claim>.+)$/i,
    /^(?<claim>dans ce (?:dépôt|projet|repo)\b.+)$/i,
  ],
  correction: /^(?:non\b|stop\b|attends?\b|c'est faux\b|pas comme ça\b|plutôt\b|en fait\b)/i,
  notCorrection: /^(?:non,? (?:merci|c'est bon|ça va)|en fait,? c'est (?:bon|parfait))/i,
  decision: [/\b(?<claim>(?:nous avons|on a) (?:décidé|convenu|choisi)\b.+)$/i],
  reason: /,?\s+(?:parce qu|car\b|puisqu|sinon\b|afin )/i,
  places: /\b(?:tableau de bord|dashboard|cahier des charges|wiki|documentation|maquettes?|runbook)\b/i,
  passing: /\b(?:pour l'instant|pour le moment|aujourd'hui|cette fois|pas encore)\b/i,
  request: /\?\s*$|^(?:peux|pourrais)-tu\b/i,
  forbids: /\b(?:jamais|pas|aucun\w?|évite)\b/i,
  preference: /\b(?:préfère|toujours|jamais|plutôt)\b|^(?:utilise|écris|évite)/i,
  everywhere: /\bdans tous (?:mes|les) projets\b/i,
};
