/**
 * Secrets that show what they are by their own shape, as their issuers document it. Secretlint knows many of them too;
 * these also run where it must not be loaded, and catch what it misses.
 */
import { type SecretSpan, spanIn } from "./secret-span.ts";

interface TokenPattern {
  readonly kind: string;
  /** Literal pieces, one of which every match has: a text without them is not searched. */
  readonly hints: readonly string[];
  /** Group 1, where there is one, is the secret; else the whole match. */
  readonly pattern: RegExp;
}

const TOKEN_PATTERNS: readonly TokenPattern[] = [
  {
    kind: "github_token",
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    pattern: /\bgh[opusr]_[A-Za-z0-9_]{20,255}/g,
  },
  { kind: "github_token", hints: ["github_pat_"], pattern: /\bgithub_pat_[A-Za-z0-9_]{20,255}/g },
  {
    kind: "gitlab_token",
    hints: ["glpat-", "gldt-", "glrt-", "glptt-"],
    pattern: /\bgl(?:pat|dt|rt|ptt)-[\w-]{16,255}/g,
  },
  { kind: "slack_token", hints: ["xox", "xapp-"], pattern: /\b(?:xox[abeoprs]|xapp)-[\w.-]{10,400}/g },
  {
    kind: "slack_webhook",
    hints: ["hooks.slack.com"],
    pattern: /hooks\.slack\.com\/(?:services|workflows)\/([\w/-]{20,200})/g,
  },
  { kind: "google_api_key", hints: ["AIza"], pattern: /\bAIza[\w-]{30,45}/g },
  { kind: "google_oauth", hints: ["ya29.", "GOCSPX-"], pattern: /\b(?:ya29\.|GOCSPX-)[\w-]{20,400}/g },
  { kind: "stripe_key", hints: ["_live_", "_test_"], pattern: /\b[srp]k_(?:live|test)_[A-Za-z0-9]{10,255}/g },
  { kind: "webhook_secret", hints: ["whsec_"], pattern: /\bwhsec_[A-Za-z0-9+/=]{16,255}/g },
  { kind: "npm_token", hints: ["npm_"], pattern: /\bnpm_[A-Za-z0-9]{30,60}\b/g },
  {
    kind: "npm_token",
    hints: ["_authToken", "_auth", "_password"],
    pattern: /:?_(?:authToken|auth|password)\s*=\s*["']?([^\s"'$[]{8,400})/g,
  },
  { kind: "anthropic_key", hints: ["sk-ant-"], pattern: /\bsk-ant-[\w-]{16,255}/g },
  {
    kind: "api_key",
    hints: ["sk-"],
    pattern:
      /\bsk-(?:proj-|svcacct-|admin-|or-v1-)?(?=[\w-]{0,255}\d)(?=[\w-]{0,255}[A-Za-z])[A-Za-z0-9](?:[\w-]{18,255})/g,
  },
  {
    kind: "api_key",
    hints: ["gsk_", "xai-", "pplx-", "figd_", "hf_", "r8_", "nvapi-", "tvly-"],
    pattern: /\b(?:gsk_|xai-|pplx-|figd_|hf_|r8_|nvapi-|tvly-)[\w-]{24,255}/g,
  },
  {
    kind: "aws_key_id",
    hints: ["AKIA", "ASIA", "AGPA", "AIDA", "AROA", "ANPA", "ANVA", "AIPA"],
    pattern: /\bA(?:KIA|SIA|GPA|IDA|ROA|NPA|NVA|IPA)[A-Z0-9]{16}\b/g,
  },
  {
    kind: "azure_key",
    hints: ["AccountKey", "SharedAccessKey"],
    pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/=]{30,120})/g,
  },
  { kind: "sendgrid_key", hints: ["SG."], pattern: /\bSG\.[\w-]{16,64}\.[\w-]{16,64}/g },
  { kind: "twilio_key", hints: ["SK", "AC"], pattern: /\b(?:SK|AC)[0-9a-f]{32}\b/g },
  { kind: "telegram_token", hints: [":AA"], pattern: /\b\d{8,10}:AA[\w-]{32,36}/g },
  { kind: "discord_token", hints: ["."], pattern: /\b[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,45}/g },
  { kind: "digitalocean_token", hints: ["_v1_"], pattern: /\bdo[opr]_v1_[a-f0-9]{40,80}/g },
  { kind: "databricks_token", hints: ["dapi"], pattern: /\bdapi[a-f0-9]{32}(?:-\d)?\b/g },
  { kind: "pypi_token", hints: ["pypi-"], pattern: /\bpypi-[\w-]{40,300}/g },
  { kind: "docker_token", hints: ["dckr_"], pattern: /\bdckr_(?:pat|oat)_[\w-]{20,64}/g },
  {
    kind: "shopify_token",
    hints: ["shpat_", "shpca_", "shppa_", "shpss_"],
    pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g,
  },
  { kind: "linear_key", hints: ["lin_"], pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{24,80}/g },
  { kind: "notion_token", hints: ["ntn_", "secret_"], pattern: /\b(?:ntn_|secret_)[A-Za-z0-9]{40,60}\b/g },
  { kind: "vault_token", hints: ["hvs.", "hvb."], pattern: /\bhv[sb]\.[\w-]{20,300}/g },
  { kind: "grafana_token", hints: ["glsa_", "glc_"], pattern: /\bgl(?:sa|c)_[\w+/=-]{30,400}/g },
  { kind: "age_key", hints: ["AGE-SECRET-KEY"], pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{50,70}/g },
  { kind: "jwt", hints: ["eyJ"], pattern: /\beyJ[\w-]{8,4000}\.[\w-]{8,8000}(?:\.[\w-]{0,2000})?/g },
  {
    kind: "connection_password",
    hints: ["://"],
    pattern: /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/"'<>`]{0,80}:([^\s@"'<>`$]{1,200})@(?=[\w.[-])/gi,
  },
  {
    kind: "url_secret",
    hints: ["token=", "key=", "sig=", "signature=", "secret=", "password=", "auth=", "Signature="],
    pattern: /[?&;](?:[\w-]{0,30}(?:token|key|secret|password|signature)|sig|auth)=([^&\s"'`<>#$[{]{8,500})/gi,
  },
];

/** Every token that shows itself by its shape. */
export function findTokens(text: string): SecretSpan[] {
  const mayHold = text.length < LONG_TEXT ? () => true : triplesOf(text);
  return TOKEN_PATTERNS.filter(({ hints }) => hints.some((hint) => mayHold(hint) && text.includes(hint))).flatMap(
    ({ kind, pattern }) =>
      Array.from(text.matchAll(pattern), (match) => spanIn(match, match[1] ?? match[0], { kind, certainty: 2 })),
  );
}

/** From so many characters on, one pass that notes every three in a row is cheaper than a search for each hint. */
const LONG_TEXT = 50_000;
const ASCII = 128;

/** @returns Whether a hint of ASCII can stand in the text: no, where three characters of it stand nowhere in a row. */
function triplesOf(text: string): (hint: string) => boolean {
  const seen = new Uint8Array(ASCII ** 3);
  let triple = 0;
  for (let at = 0; at < text.length; at += 1) {
    // A character beyond ASCII stands for another one here: that can only let a hint pass.
    triple = ((triple << 7) | (text.charCodeAt(at) & (ASCII - 1))) & (ASCII ** 3 - 1);
    seen[triple] = 1;
  }
  return (hint) => {
    for (let at = 0; at + 3 <= hint.length; at += 1) {
      const [first, second, third] = [0, 1, 2].map((next) => hint.charCodeAt(at + next));
      if (seen[((first ?? 0) << 14) | ((second ?? 0) << 7) | (third ?? 0)] !== 1) return false;
    }
    return true;
  };
}
