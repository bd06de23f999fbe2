/** Spanish, the common phrases. */
import type { CueLexicon } from "./cue-lexicon.ts";

export const ES: CueLexicon = {
  acceptance: [
    "^\\W*(?:perfecto|genial|excelente|estupendo|gracias|muchas gracias|muy bien)(?=\\W|$)",
    "(?:ya |ahora )?(?:funciona|sirve)(?: bien| ahora| perfectamente)?|buen trabajo|bien hecho|problema resuelto|eso es",
  ],
  correction: [
    "(?:eso |esto )?(?:no|sigue sin) (?:funciona|sirve|compila|pasa|funcionar|compilar|pasar)",
    "(?:está|es) (?:mal|incorrecto|equivocado)|no es (?:eso|correcto|lo que)|mismo error|sigue (?:fallando|roto|igual)|deshaz|revierte|por qué (?:has|hiciste)|deja de",
  ],
  objection: ["en lugar de", "en vez de", "^\\W*espera", "mejor usa"],
  resignation: ["olvídalo|déjalo|me rindo|da igual"],
  revert: [
    "(?:deshaz|revierte|descarta|deshacer|revertir) (?:eso|esto|todo|los|el|la|lo)|vuelve a (?:la versión|como estaba)",
  ],
  admission: ["no (?:pude|he podido|logré)|sigue sin resolver"],
  completion: ["(?:todo|ya) (?:está )?(?:listo|hecho|funciona)|^\\W*(?:listo|hecho)(?=\\W|$)"],
  everywhere: ["siempre|en todas partes|a partir de ahora|en todos (?:los|mis) proyectos"],
  negation: ["no", "nunca", "jamás", "nada", "sin", "tampoco"],
  condition: ["si", "cuando", "hasta", "para que", "antes"],
};
