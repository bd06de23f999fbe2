/** Invented secrets of twenty-four kinds, as many of each as are asked for, none like another. Made at run time. */
import { seededRandom } from "./seeded-random.ts";

export interface PlantedSecret {
  readonly kind: string;
  /** One line, or a few, as they stand in a text. */
  readonly text: string;
  /** What must not be found anywhere afterwards. */
  readonly secret: string;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

type Draw = (length: number, alphabet?: string) => string;
interface Kind {
  readonly kind: string;
  /** It shows itself by its shape alone, without a name beside it. */
  readonly bare: boolean;
  readonly make: (draw: Draw) => Omit<PlantedSecret, "kind">;
}

function token(kind: string, prefix: string, rest: (draw: Draw) => string): Kind {
  return {
    kind,
    bare: true,
    make: (draw) => {
      const secret = rest(draw);
      return { text: prefix + secret, secret };
    },
  };
}

function within(kind: string, text: string, value: (draw: Draw) => string): Kind {
  return {
    kind,
    bare: false,
    make: (draw) => {
      const secret = value(draw);
      return { text: text.replace("%", () => secret), secret };
    },
  };
}

const KINDS: readonly Kind[] = [
  token("GitHub token", "ghp_", (draw) => draw(36)),
  token("fine-grained GitHub token", "github_pat_", (draw) => `${draw(22)}_${draw(59)}`),
  token("GitLab token", "glpat-", (draw) => draw(20)),
  token("Slack token", "xoxb-", (draw) => `123456789012-1234567890123-${draw(24)}`),
  token("Google key", "AIza", (draw) => draw(35)),
  token("Stripe key", "sk_live_", (draw) => draw(24)),
  token("npm token", "npm_", (draw) => draw(36)),
  token("Anthropic key", "sk-ant-api03-", (draw) => draw(90)),
  token("OpenAI-shaped key", "sk-proj-", (draw) => draw(48)),
  token("AWS key id", "AKIA", (draw) => draw(16, CAPITALS)),
  token("JWT", "eyJ", (draw) => `${draw(20)}.eyJ${draw(40)}.${draw(43)}`),
  within("AWS secret", "aws_secret_access_key = %", (draw) => draw(40)),
  within("bearer header", "Authorization: Bearer %", (draw) => draw(32)),
  within("quoted password", 'password = "%"', (draw) => `${draw(10)}7`),
  within("password of an env file", "DB_PASSWORD=%", (draw) => `kelp${draw(8)}`),
  within("connection string", "postgres://app:%@db.internal:5432/x", (draw) => draw(12)),
  within("cookie", "Cookie: session=%", (draw) => draw(30)),
  within("private key", "-----BEGIN RSA PRIVATE KEY-----\n%\n-----END RSA PRIVATE KEY-----", (draw) => draw(64)),
  within("URL parameter", "https://example.org/?access_token=%&a=1", (draw) => draw(30)),
  within("YAML key", "apiKey: %", (draw) => draw(24)),
  within("JSON secret", '{"client_secret":"%"}', (draw) => draw(24)),
  within("Azure key", "AccountKey=%", (draw) => `${draw(86)}==`),
  within("curl user", "curl -u admin:% https://example.org", (draw) => `${draw(9)}3`),
  within("netrc", "machine example.org login ana password %", (draw) => `${draw(9)}-4`),
];

export interface SecretMatrix {
  /** One of each kind, new ones with every call. */
  plant(place: string): readonly PlantedSecret[];
  /** The same of the kinds that are secret without a name beside them. */
  plantBare(place: string): readonly PlantedSecret[];
  /** Everything planted so far, with its place. */
  readonly planted: readonly (PlantedSecret & { readonly place: string })[];
}

export function secretMatrix(seed: number): SecretMatrix {
  const random = seededRandom(seed);
  const draw: Draw = (length, alphabet = LETTERS) =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  const planted: (PlantedSecret & { place: string })[] = [];
  const plantAll = (place: string, kinds: readonly Kind[]): readonly PlantedSecret[] => {
    const fresh = kinds.map(({ kind, make }) => ({ kind, ...make(draw) }));
    planted.push(...fresh.map((one) => ({ ...one, place })));
    return fresh;
  };
  return {
    plant: (place) => plantAll(place, KINDS),
    plantBare: (place) =>
      plantAll(
        place,
        KINDS.filter(({ bare }) => bare),
      ),
    planted,
  };
}

export function linesOf(secrets: readonly PlantedSecret[]): string {
  return secrets.map(({ text }) => text).join("\n");
}
