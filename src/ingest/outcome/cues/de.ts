/** German, the common phrases. */
import type { CueLexicon } from "./cue-lexicon.ts";

export const DE: CueLexicon = {
  acceptance: [
    "^\\W*(?:super|perfekt|prima|klasse|toll|genial|wunderbar|ausgezeichnet)(?=\\W|$)",
    "^\\W*(?:ok(?:ay)?|super|perfekt)?[\\s,.!]*(?:danke|vielen dank|besten dank)",
    "^\\W*(?:ja|genau|richtig|stimmt|passt)\\W*$",
    "(?:das|es|jetzt) (?:jetzt |nun )?(?:funktioniert|klappt|geht|passt|läuft)(?: jetzt| nun)?",
    "(?:sieht|klingt) (?:sehr )?gut aus|sieht gut aus|gut gemacht|gute arbeit|problem gelöst",
  ],
  correction: [
    "^\\W*nein(?=\\W|$)",
    "(?:das|es) ist (?:noch |immer noch )?(?:falsch|nicht (?:richtig|das|was|korrekt))",
    "(?:funktioniert|geht|klappt|läuft|stimmt) (?:immer noch |noch |so |leider )?nicht|immer noch (?:kaputt|falsch|derselbe|der gleiche|fehlerhaft)",
    "schlägt (?:immer noch |weiterhin )?fehl|(?:gleicher|derselbe|selber) fehler|mach (?:das|es) rückgängig|hör auf|warum hast du",
    "du (?:solltest|hast) .{0,40}(?:vergessen|nicht|übersehen|kaputt)|das war nicht (?:gefragt|gemeint)",
  ],
  objection: ["stattdessen", "^\\W*(?:warte|moment)(?=\\W|$)", "^\\W*eigentlich"],
  resignation: ["vergiss es|lass es|lassen wir (?:es|das)|gib(?:t)? auf|egal jetzt|mach ich selbst"],
  revert: [
    "mach (?:das|es|alles) (?:wieder )?rückgängig|(?:verwirf|verwerfe|setze?) (?:das|es|alles|die)(?: \\w+)?(?: zurück)?|zurück zum (?:alten|letzten|vorigen)",
  ],
  admission: ["konnte .{0,60} nicht (?:lösen|beheben|abschließen|fertigstellen)|noch nicht (?:gelöst|behoben|fertig)"],
  completion: ["(?:alles|es|das) (?:ist )?(?:erledigt|fertig|behoben|funktioniert)|^\\W*(?:fertig|erledigt)(?=\\W|$)"],
  everywhere: ["immer|überall|ab jetzt|in (?:allen|jedem) (?:meinen )?projekte?n?|grundsätzlich"],
  negation: ["nicht", "kein", "keine", "nie", "niemals", "kaum", "ohne"],
  condition: ["wenn", "falls", "sobald", "bis", "sollte", "würde", "damit", "ob"],
};
