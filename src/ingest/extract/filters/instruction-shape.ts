/**
 * Does a text try to steer an agent? A tripwire for text from outside, not a proof: what passes is still only data, framed
 * as such wherever it is shown.
 */

const SHAPES: readonly (readonly [string, RegExp])[] = [
  [
    "overrides instructions",
    /\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:instructions?|rules?|polic(?:y|ies)|guidelines?|safety|prompts?|previous|prior|above|earlier)\b/i,
  ],
  [
    "commands the agent",
    /\b(?:always|must|immediately|first|never fail to|be sure to|you (?:should|need to|have to))\s+(?:silently\s+|also\s+)?(?:run|execute|send|post|upload|curl|wget|fetch|download|install|disable|approve|commit|push|delete|remove|grant|share|forward|e-?mail|skip|add|include|use|call|invoke)\b/i,
  ],
  [
    "begins with a risky command",
    /(?:^|[.!?;:\n]\s*)(?:run|execute|send|post|upload|curl|wget|download|install|disable|approve|commit|push|delete|grant|forward|e-?mail|exfiltrate|chmod|sudo)\s+\S/i,
  ],
  [
    "role markup",
    /<\/?(?:system|assistant|user|human|tool_call|tool_use|function_calls?|invoke|instructions?)\b|<\|[a-z_]+\|>|\[\/?INST\]|^\s*(?:system|assistant|developer|user)\s*:/im,
  ],
  [
    "encoded text",
    /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{64,}={0,2}(?![A-Za-z0-9+/=])|(?:\\x[0-9a-f]{2}){8,}|(?:%[0-9a-f]{2}){12,}/i,
  ],
  [
    "an address that carries data away",
    /https?:\/\/\S+[?&](?:token|key|secret|auth|password|passwd|data|payload|env|cookie)=/i,
  ],
  [
    "a download run at once",
    /\b(?:curl|wget|iwr|invoke-webrequest)\b[^|\n]{0,200}\|\s*(?:sudo\s+)?(?:(?:ba|z|da)?sh|python\d?|node|perl|iex)\b|\beval\s+["'(]?\$\(/i,
  ],
];

/** @returns What the text looks like, or undefined. */
export function instructionShape(text: string): string | undefined {
  return SHAPES.find(([, pattern]) => pattern.test(text))?.[0];
}
