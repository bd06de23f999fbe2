/**
 * Talk about the task instead of its result: refusals, apologies, remarks about the transcript or about being a model.
 * Such text must never be stored as a memory, wherever it stands: a whole reply, or one field of a fact.
 */

const REFUSAL =
  /\b(?:I(?:'m| am)(?: really| very)? (?:sorry|unable|not able)|I (?:can(?:no|')?t|could not|couldn't|won't|will not|must decline)(?: to)? (?:help|assist|comply|do that|process|provide|extract|continue|fulfil|fulfill|summari[sz]e|analy[sz]e)|(?:es tut mir leid|je suis désolé|lo siento)[^.]{0,60}(?:nicht|pas|no puedo))/i;
const SELF = /\bas an? (?:AI|artificial intelligence|(?:large )?language model|AI (?:language )?model|AI assistant)\b/i;
const ABOUT_THE_TASK =
  /\b(?:the|this|your|provided|given) (?:transcript|conversation(?: log)?) (?:does|contains?|shows?|has|had|is|was|provided|above|you)\b|\bbased on the (?:transcript|conversation|provided (?:text|information|transcript))|\b(?:no|any) (?:durable |reusable |memorable )?(?:facts|memories|notes) (?:to|were|could|can) (?:be )?(?:extract|record|store|save|found)/i;
/** A field that is nothing but the remark; the same words inside a sentence may be the matter itself. */
const EMPTY_FIELD =
  /^\s*(?:(?:none|n\/a|nothing|empty|unknown|tbd|null|undefined)[.!]?|(?:nothing|no (?:new |durable |reusable )?(?:facts?|memor(?:y|ies)|notes?|lessons?)) (?:to|worth)\b.{0,60})\s*$/i;
const NOTHING =
  /\b(?:nothing|no(?:thing)? (?:new |durable |reusable |memorable |notable |significant )?(?:facts?|memor(?:y|ies)|notes?|lessons?|learnings?)|none)\b[^.]{0,80}\b(?:to (?:record|remember|store|save|extract|note|keep|report|add)|worth|found|here|qualif\w+|meets?|identified|extracted)\b|^\s*(?:none|n\/a|no facts?|nothing|empty)[.!]?\s*$/i;
const TOO_LONG =
  /\b(?:(?:prompt|input|context|request|message)s?(?: length| window| size)? (?:is |are |was )?(?:too (?:long|large)|exceed\w*)|maximum context|context[_ ](?:length|window)[_ ]?(?:exceeded|limit)?|token limit (?:exceeded|reached)|too many (?:input )?tokens)\b/i;
/** A remark is short; a page of prose that mentions the phrase is a page of prose. */
const REMARK_CHARACTERS = 600;

/** The model would not do it. */
export function isRefusal(text: string): boolean {
  const head = text.trimStart().slice(0, REMARK_CHARACTERS);
  return REFUSAL.test(head) || SELF.test(head);
}

/** "Nothing to record", said in prose: a valid empty answer. */
export function saysNothing(text: string): boolean {
  return text.trim().length <= REMARK_CHARACTERS && NOTHING.test(text);
}

/** An endpoint's complaint about the length of the prompt that arrived as an answer. */
export function saysTooLong(text: string): boolean {
  return text.trim().length <= REMARK_CHARACTERS && TOO_LONG.test(text);
}

/** For one field of a fact: whether it talks about the task. */
export function isMetaTalk(field: string): boolean {
  return REFUSAL.test(field) || SELF.test(field) || ABOUT_THE_TASK.test(field) || EMPTY_FIELD.test(field);
}
