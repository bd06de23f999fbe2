/**
 * Whether a question is about how things have come to be, and whether a note tells of that: of two notes on one subject
 * the one that says what it replaced is the later word.
 */
import { wordsElsewhere } from "./words-elsewhere.ts";

const NOW =
  /\b(?:current(?:ly)?|now(?:adays)?|today|these days|at present|at the moment|any ?more|latest|newest|most recent(?:ly)?)\b|\b(?:replaced|replaces|succeeded|moved to|migrated to|switched to)\b/i;
const isNowElsewhere = wordsElsewhere(
  "aktuell|derzeit|heute|jetzt|neueste|actuel(?:le)?(?:ment)?|maintenant|aujourd'hui|actual(?:mente)?|ahora|hoy|atualmente|agora|hoje|сейчас|теперь",
  "現在|今は|目前|现在|지금|현재",
);

const CHANGE =
  /\b(?:migrated|moved|switched|upgraded|changed|converted|ported|replaced|went)\b.{1,80}\b(?:to|by|with|from)\b|\b(?:no longer|not any ?more|instead of|replaces|supersedes|since (?:\d{4}|january|february|march|april|may|june|july|august|september|october|november|december|version|v\d|release|last))\b/i;
const tellsElsewhere = wordsElsewhere(
  String.raw`umgestellt|gewechselt|ersetzt|nicht mehr|remplac\w+|migr\w+|reemplaz\w+|substitu\w+|больше не|заменил\w*`,
  "から.{1,40}(?:移行|変更)|替换|改用|迁移|교체",
);

export function asksForNow(text: string): boolean {
  return NOW.test(text) || isNowElsewhere(text);
}

export function tellsOfChange(text: string): boolean {
  return CHANGE.test(text) || tellsElsewhere(text);
}
