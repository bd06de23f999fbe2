/** Personal data that some profiles keep out of memories: addresses, telephone, card and bank numbers. */
import { type SecretSpan, spanIn } from "./secret-span.ts";

const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}\b/g;
const PHONE = /(?<![\w.+-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{1,4}\)[ .-]?)?\d{2,4}(?:[ .-]\d{2,8}){1,4}(?![\w-]|\.\d)/g;
const CARD = /(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])/g;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g;
const NATIONAL_ID = /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g;

/** E-mail addresses, telephone numbers, card numbers that pass Luhn's check, IBANs, US social security numbers. */
export function findPersonalData(text: string): SecretSpan[] {
  return [
    ...matches(text, EMAIL, "email"),
    ...matches(text, CARD, "card_number").filter((span) => passesLuhn(text.slice(span.start, span.end))),
    ...matches(text, IBAN, "iban"),
    ...matches(text, NATIONAL_ID, "national_id"),
    ...matches(text, PHONE, "phone").filter((span) => isPhone(text.slice(span.start, span.end))),
  ];
}

function matches(text: string, pattern: RegExp, kind: string): SecretSpan[] {
  return Array.from(text.matchAll(pattern), (match) => spanIn(match, match[0], { kind, certainty: 1 }));
}

/** Dates and dotted versions have fewer digits, or no country code and no bracket. */
function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  return digits >= 8 && digits <= 15 && !/^\d{4}-\d\d-\d\d/.test(text) && !/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text);
}

/** Luhn's check sum, ISO/IEC 7812-1. */
function passesLuhn(text: string): boolean {
  const digits = Array.from(text.replace(/\D/g, ""), Number).reverse();
  const sum = digits.reduce((total, digit, at) => {
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0 && new Set(digits).size > 1;
}
