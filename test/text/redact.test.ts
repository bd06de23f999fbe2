import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, redactPatterns } from "../../src/text/redact.ts";
import { anyText } from "../support/any-text.ts";
import { SECRET_SAMPLES, randomSecret as secret } from "../support/secret-samples.ts";

const redact = (text: string): Promise<string> => createRedactor().redact(text);

describe("createRedactor", () => {
  it.each(SECRET_SAMPLES)("removes a secret: $name", async ({ text, secrets }) => {
    const redacted = await redact(`before ${text} after`);
    for (const value of secrets) expect(redacted).not.toContain(value);
    expect(redacted).toMatch(/^before .*\[REDACTED:[a-z0-9_]+#1\].* after$/s);
  });

  it.each([
    "token: string",
    "const token = await fetchToken()",
    "apiKey: process.env.API_KEY",
    "max_tokens=4096",
    "password: required",
    "commit = 4f3a2b1c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a",
    "id: 550e8400-e29b-41d4-a716-446655440000",
    `"integrity": "sha512-${secret(86)}=="`,
    "The Bearer token is missing",
    "this.password = password;",
    "password: z.string().min(8)",
    "path = src/components/very/long/pathName/Component.tsx",
    "export DB_PASSWORD=$SECRET",
    "secret: {{ secrets.NPM_TOKEN }}",
    "https://ana@example.org/x",
    "credentials: 'same-origin'",
    "git push -u origin/feature:main",
  ])("leaves alone what only looks like one: %s", async (text) => {
    expect(await redact(text)).toBe(text);
    expect(redactPatterns(text)).toBe(text);
  });

  it.each(SECRET_SAMPLES)(
    "finds it behind an escaped line end, as in a file that stands in JSON: $name",
    async (sample) => {
      const file = `# settings\n${sample.text}\nend of it`;
      for (const text of [
        JSON.stringify({ file_path: "a.env", content: file }),
        JSON.stringify([JSON.stringify({ file })]),
      ]) {
        const redacted = await redact(text);
        for (const value of sample.secrets) expect(redacted).not.toContain(value);
        expect(redacted).toContain("end of it");
      }
    },
  );

  it("keeps host and database of a connection string", async () => {
    const redacted = await redact("postgres://app:s3cr3tpw@db.internal:5432/gauges");
    expect(redacted).toBe("postgres://app:[REDACTED:connection_password#1]@db.internal:5432/gauges");
  });

  it("is not switched off by a comment in the text", async () => {
    const token = `glpat-${secret(20)}`;
    const stripe = `sk_live_${secret(24)}`;
    const redacted = await redact(
      `// secretlint-disable\n/* secretlint-disable */ ${token}\n# secretlint-disable-line ${stripe}`,
    );
    expect(redacted).not.toContain(token);
    expect(redacted).not.toContain(stripe);
    expect(redacted).toContain("secretlint-disable");
  });

  it("gives one secret one placeholder in all texts of a session, and another one another", async () => {
    const [first, second] = [`ghp_${secret(36)}`, `ghp_${secret(37).slice(1)}`];
    const redactor = createRedactor();
    const texts = await redactor.redactAll([`a ${first}`, `b ${second}`, `c ${first}`]);
    expect(texts).toEqual([
      "a [REDACTED:github_token#1]",
      "b [REDACTED:github_token#2]",
      "c [REDACTED:github_token#1]",
    ]);
    expect(await redactor.redact(`d ${second}`)).toBe("d [REDACTED:github_token#2]");
  });

  it("removes a secret that only another text gave away", async () => {
    const value = "kelp-4711-Harbour";
    const texts = await createRedactor().redactAll([`I typed ${value} there`, `password = "${value}"`]);
    expect(texts[0]).toBe("I typed [REDACTED:password#1] there");
  });

  it("takes a password whole that has an ampersand in it, and leaves what follows one in an address or a shell", async () => {
    const texts = await createRedactor().redactAll([
      "password=Tr0ub4dor&3xHarbour",
      "/login?password=Tr0ub4dor3x&user=ana",
      "PASSWORD=Tr0ub4dor3x&& make export",
    ]);
    expect(texts).toEqual([
      "password=[REDACTED:password#1]",
      "/login?password=[REDACTED:url_secret#1]&user=ana",
      "PASSWORD=[REDACTED:url_secret#1]&& make export",
    ]);
  });

  it("leaves an ordinary word alone where it is no password", async () => {
    const texts = await createRedactor().redactAll(["DB_PASSWORD=postgres", "we use postgres here"]);
    expect(texts).toEqual(["DB_PASSWORD=[REDACTED:password#1]", "we use postgres here"]);
  });

  it("joins nothing across texts", async () => {
    expect(await createRedactor().redactAll(["password:", "hunter2x"])).toEqual(["password:", "hunter2x"]);
  });

  it("removes both halves of a private key that was cut in the middle", async () => {
    const [head, tail] = [secret(64), secret(63)];
    const cut = `-----BEGIN PRIVATE KEY-----\n${head}\n[… 300 characters left out …]\n`;
    const end = `${tail}=\n-----END PRIVATE KEY-----\nthen`;
    expect(await redact(cut)).not.toContain(head);
    expect(await redact(end)).toBe("[REDACTED:private_key#1]\nthen");
  });

  it("removes personal data only where it was asked to", async () => {
    const text = "ana@example.org, +49 170 1234567, 4111 1111 1111 1111";
    expect(await redact(text)).toBe(text);
    const redacted = await createRedactor({ personalData: true }).redact(text);
    expect(redacted).toBe("[REDACTED:email#1], [REDACTED:phone#1], [REDACTED:card_number#1]");
  });

  it("changes nothing the second time", async () => {
    const pieces = [
      ...SECRET_SAMPLES.map(({ text }) => text),
      "password = ",
      "token: ",
      "Bearer ",
      "[REDACTED:jwt#1]",
      "=",
      " ",
      "\n",
      '"',
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 6 }), anyText(20), async (parts, noise) => {
        const once = await redact(parts.join("") + noise);
        expect(await redact(once)).toBe(once);
        expect(redactPatterns(once)).toBe(once);
      }),
      { numRuns: 60 },
    );
  });

  it("fails closed when secrets can't be looked for", async () => {
    const redactor = createRedactor({ scan: async () => Promise.reject(new Error("out of memory")) });
    await expect(redactor.redact("harmless")).rejects.toMatchObject({ code: "REDACTION_FAILED" });
  });
});

describe("redactPatterns", () => {
  it.each(SECRET_SAMPLES)("removes a secret without secretlint: $name", ({ text, secrets }) => {
    const redacted = redactPatterns(`before ${text} after`);
    for (const value of secrets) expect(redacted).not.toContain(value);
  });
});
