/** Portuguese, the common phrases. */
import type { CueLexicon } from "./cue-lexicon.ts";

export const PT: CueLexicon = {
  acceptance: [
    "^\\W*(?:perfeito|ótimo|excelente|obrigad[oa]|valeu|maravilha)(?=\\W|$)",
    "(?:agora |já )?(?:funciona|funcionou)(?: bem| agora| perfeitamente)?|bom trabalho|problema resolvido|é isso",
  ],
  correction: [
    "(?:isso |isto )?(?:não|continua sem) (?:funciona|funcionou|compila|passa|funcionar)",
    "está (?:errado|incorreto)|não é (?:isso|o que)|mesmo erro|continua (?:falhando|quebrado|igual)|desfaz|desfaça|por que você|pare de",
  ],
  objection: ["em vez de", "em vez disso", "^\\W*espera"],
  resignation: ["esquece|deixa pra lá|desisto"],
  revert: [
    "(?:desfaz|desfaça|reverte|reverta|descarta|descarte) (?:isso|isto|tudo|as|os|a|o)|volta (?:ao|para) (?:como|o que)",
  ],
  admission: ["não (?:consegui|foi possível)|continua sem solução"],
  completion: ["(?:tudo|está) (?:pronto|feito|funciona|funcionando)|^\\W*(?:pronto|feito)(?=\\W|$)"],
  everywhere: ["sempre|em todos os (?:meus )?projetos|a partir de agora|em qualquer projeto"],
  negation: ["não", "nunca", "jamais", "nada", "sem", "nem"],
  condition: ["se", "quando", "até", "para que", "antes"],
};
