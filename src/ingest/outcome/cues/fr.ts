/** French, the common phrases. */
import type { CueLexicon } from "./cue-lexicon.ts";

export const FR: CueLexicon = {
  acceptance: [
    "^\\W*(?:parfait|super|génial|excellent|impeccable|nickel|merci|bravo)(?=\\W|$)",
    "(?:ça|cela|tout) (?:marche|fonctionne)(?: bien| maintenant| parfaitement)?|c'est (?:parfait|bon|exactement ça)|bien joué|bon travail",
  ],
  correction: [
    "^\\W*non(?=\\W|$)",
    "(?:ça|cela|ce|il) (?:ne )?(?:marche|fonctionne|compile|passe) (?:toujours )?pas|ne (?:marche|fonctionne) (?:toujours )?pas",
    "c'est (?:faux|incorrect|pas ça|pas bon)|ce n'est pas (?:ça|bon|ce que)|toujours (?:cassé|la même erreur|en échec)|même erreur|annule|pourquoi as-tu|arrête",
  ],
  objection: ["plutôt", "à la place", "^\\W*attends"],
  resignation: ["laisse tomber|oublie|j'abandonne|tant pis"],
  revert: ["(?:annule|défais|reviens|jette) (?:ça|tout|cela|les|le|la|tes|en arrière|à)"],
  admission: ["je n'ai pas (?:pu|réussi)|reste (?:non résolu|en échec)"],
  completion: ["(?:tout|c'est|ça) (?:est )?(?:terminé|fini|fonctionne|corrigé)|^\\W*(?:terminé|fini)(?=\\W|$)"],
  everywhere: ["toujours|partout|désormais|dans tous (?:les|mes) projets"],
  negation: ["pas", "ne", "jamais", "rien", "aucun", "sans"],
  condition: ["si", "quand", "lorsque", "afin", "pour que", "avant", "jusqu'à"],
};
