/**
 * Secretlint's recommended preset as a detector. The only file that touches secretlint: loading it costs a process some
 * 100 ms, so that it is imported when the first text is redacted and never on a hook's path.
 */
import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import type { SecretSpan } from "./secret-span.ts";

const PRESET = "@secretlint/secretlint-rule-preset-recommend";
/**
 * The preset obeys disabling comments anywhere in the text, and switching its filter off has no effect: the comments
 * are made unreadable in the copy that is scanned. Same length, so that ranges stay true.
 */
const DISABLING_COMMENT = /secretlint-(?:disable|enable)/gi;

/** Names of our placeholders for secretlint's rules; others are named after the rule. */
const KINDS: Readonly<Record<string, string>> = {
  github: "github_token",
  slack: "slack_token",
  npm: "npm_token",
  aws: "aws_key",
  gcp: "google_key",
  openai: "api_key",
  anthropic: "anthropic_key",
  privatekey: "private_key",
  basicauth: "connection_password",
  "database-connection-string": "connection_string",
};

/** @throws Whatever secretlint throws: the caller fails closed. */
export async function scanWithSecretlint(text: string): Promise<SecretSpan[]> {
  const content = text.replace(DISABLING_COMMENT, (comment) => "_".repeat(comment.length));
  const { messages } = await lintSource({
    source: { filePath: "/session.txt", ext: ".txt", contentType: "text", content },
    options: {
      noPhysicFilePath: true,
      config: {
        rules: [
          {
            id: PRESET,
            rule: creator,
            rules: [{ id: "@secretlint/secretlint-rule-aws", options: { enableIDScanRule: true } }],
          },
        ],
      },
    },
  });
  return messages.flatMap((message): SecretSpan[] => {
    if (message.type !== "message") return [];
    const rule = message.ruleId.replace("@secretlint/secretlint-rule-", "");
    const [start, end] = message.range;
    return [{ start, end, kind: KINDS[rule] ?? `${rule.replace(/\W+/g, "_")}_secret`, certainty: 2 }];
  });
}
