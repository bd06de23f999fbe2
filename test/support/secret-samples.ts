/** Invented secrets of the kinds that sessions hold. Put together at run time: no scanner shall find one in this file. */

const ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** The same random-looking text for the same length and alphabet. */
export function randomSecret(length: number, alphabet: string = ALPHABET): string {
  let state = 12_345 + length;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return alphabet[(state >> 8) % alphabet.length];
  }).join("");
}

export interface SecretSample {
  readonly name: string;
  readonly text: string;
  /** Texts that must not be there afterwards. */
  readonly secrets: readonly string[];
}

const hexadecimal = (length: number): string => randomSecret(length, "0123456789abcdef");

/** A token that is secret as a whole. */
function token(name: string, prefix: string, rest: string): SecretSample {
  return { name, text: `${prefix}${rest}`, secrets: [rest] };
}

/** A secret within a text, where `%` stands for it. */
function within(name: string, text: string, secret: string): SecretSample {
  return { name, text: text.replace("%", () => secret), secrets: [secret] };
}

export const SECRET_SAMPLES: readonly SecretSample[] = [
  token("GitHub token", "ghp_", randomSecret(36)),
  token("fine-grained GitHub token", "github_pat_", `${randomSecret(22)}_${randomSecret(59)}`),
  token("GitLab token", "glpat-", randomSecret(20)),
  token("Slack token", "xoxb-", `123456789012-1234567890123-${randomSecret(24)}`),
  token("Google key", "AIza", randomSecret(35)),
  token("Stripe key", "sk_live_", randomSecret(24)),
  token("npm token", "npm_", randomSecret(36)),
  token("Anthropic key", "sk-ant-api03-", randomSecret(90)),
  token("OpenAI-shaped key", "sk-proj-", randomSecret(48)),
  token("AWS key id", "AKIA", randomSecret(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")),
  within("AWS secret", "aws_secret_access_key = %", randomSecret(40)),
  token("JWT", "eyJ", `${randomSecret(20)}.eyJ${randomSecret(40)}.${randomSecret(43)}`),
  within("bearer header", "Authorization: Bearer %", randomSecret(32)),
  within("basic header", "Authorization: Basic %", `${randomSecret(24)}==`),
  within("quoted password", 'password = "%"', randomSecret(10)),
  within("password of an env file", "DB_PASSWORD=%", "correcthorse"),
  within("connection string", "postgres://app:%@db.internal:5432/x", "s3cr3tpw"),
  within("cookie", "Cookie: session=%\nHost: x", randomSecret(30)),
  within("private key", "-----BEGIN RSA PRIVATE KEY-----\n%\n-----END RSA PRIVATE KEY-----", randomSecret(64)),
  within("curl user", "curl -u admin:% https://example.org", "hunter22"),
  within("SendGrid key", "SG.%", `${randomSecret(22)}.${randomSecret(43)}`),
  within("Telegram token", "123456789:AA%", randomSecret(33)),
  within("URL parameter", "https://example.org/?access_token=%&a=1", randomSecret(30)),
  within("YAML key", "  apiKey: %", randomSecret(24)),
  within("JSON secret", '{"client_secret":"%"}', randomSecret(24)),
  within("JSON within JSON", '{\\"password\\":\\"%\\"}', "hunter2x"),
  within("random value", "SEED=%", randomSecret(32)),
  within("hexadecimal value", "cipher_seed: %", hexadecimal(64)),
  within("prose", "the password is %", "hunter2!"),
  within("option", "tool --token %", randomSecret(20)),
  within("npm configuration", "//registry.example/:_authToken=%", randomSecret(36)),
  within("Azure key", "AccountKey=%", `${randomSecret(86)}==`),
  within("MySQL option", "mysql -u root -p% db", "S3cret99"),
  within("netrc", "machine example.org login ana password %", "x9-Kelp"),
];
