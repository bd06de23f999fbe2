/** What an HTTP status of a model's endpoint means for us: worth another try or not, and what a person can do. */

const RETRYABLE_STATUSES = new Set([408, 409, 425, 429]);

/** 2xx here means a body that could not be read: cut off, or a proxy's page. */
export function isRetryableStatus(status: number): boolean {
  return status < 300 || status >= 500 || RETRYABLE_STATUSES.has(status);
}

/** Whether an endpoint's words say that it was given more text than it takes. */
export function saysTooLong(said: string): boolean {
  return /context|too (?:long|large|many)|maximum|exceed/i.test(said);
}

/** @param said - The endpoint's own words. */
export function hintForStatus(status: number, said: string): { hint?: string } {
  if (status === 401 || status === 403) return { hint: "Check the API key and what it may use." };
  if (status === 402) return { hint: "The account behind the key is out of credit." };
  if (status === 404) return { hint: "Check the model's name and its base URL." };
  if (/context|too long|too large|maximum/i.test(said) || status === 413) {
    return { hint: "Set the model's contextTokens to what it really takes." };
  }
  if (status === 429) return { hint: "The endpoint limits the rate; the work is tried again later." };
  return {};
}
