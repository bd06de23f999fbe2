/** What the rules listen for, one file per language. English is complete; the others hold the plainest cues only. */
import { GERMAN } from "./lexicon-de.ts";
import { ENGLISH } from "./lexicon-en.ts";
import { SPANISH } from "./lexicon-es.ts";
import { FRENCH } from "./lexicon-fr.ts";
import type { RuleLexicon } from "./rule-lexicon.ts";

export const LEXICONS: readonly RuleLexicon[] = [ENGLISH, GERMAN, FRENCH, SPANISH];
