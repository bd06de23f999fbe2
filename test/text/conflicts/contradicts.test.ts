import { describe, expect, it } from "vitest";
import { contradicts } from "../../../src/text/conflicts/contradicts.ts";

const says = (title: string, content = "", polarity: "do" | "avoid" | "fact" = "do") =>
  ({ type: "context", title, content, polarity }) as const;

describe("contradicts", () => {
  it.each([
    ["## Setup\n\nUse pnpm, not npm, in this repository.", "This repo uses npm", "value", "pnpm", "npm"],
    [
      "- Install with `pnpm install`\n- Lint before you push",
      "Run `npm install` after each pull",
      "value",
      "pnpm",
      "npm",
    ],
    ["Builds use Node 20.", "The project uses Node 22 for builds", "number", "node 20", "node 22"],
    ["Node >= 20 is required.", "Code must run on Node 18", "number", "node ≥ 20", "node 18"],
    ["The dev server listens on port 3000.", "The dev server runs on port 4000", "number", "3000", "4000"],
    ["Tests are written in Vitest.", "Tests use Jest", "value", "vitest", "jest"],
    ["Validate all input with zod.", "We use joi for input validation", "value", "zod", "joi"],
    ["Releases go out on Tuesdays.", "Releases go out on Thursday", "value", "tuesday", "thursday"],
    ["Request timeouts are 30 seconds.", "The request timeout is 60s", "number", "30 seconds", "60s"],
    [
      "Lines are at most 100 characters long.",
      "Keep lines under 120 characters",
      "number",
      "100 characters",
      "120 characters",
    ],
    [
      "Every pull request needs two approvals.",
      "A pull request needs one approval",
      "number",
      "2 approvals",
      "1 approval",
    ],
    ["Coverage must stay above 80%.", "Coverage has to be at least 90 %", "number", "80%", "90 %"],
    ["Indent with tabs.", "Indent with two spaces", "value", "tabs", "2 spaces"],
    [
      "Migrations live in `db/migrations`.",
      "Migrations live in src/migrations",
      "place",
      "db/migrations",
      "src/migrations",
    ],
  ])("finds %j against %j", (...[file, title, kind, ours, theirs]) => {
    expect(contradicts(file, says(title))).toMatchObject({ kind, file: ours, memory: theirs });
  });

  it.each([
    ["Never commit generated files.", "Commit generated files together with their source", "negation"],
    ["Use default exports in components.", "Do not use default exports in components", "negation"],
    ["Default exports are forbidden.", "Use default exports for pages", "negation"],
    ["Run the migrations before the deploy.", "Run the migrations after the deploy", "opposite"],
    ["Feature flags are enabled by default.", "Feature flags are disabled by default", "opposite"],
  ])("finds %j against %j as %s", (file, title, kind) => {
    expect(contradicts(file, says(title))).toMatchObject({ kind });
  });

  it("takes what a memory warns of for its contrary", () => {
    expect(
      contradicts("Use barrel files in packages.", says("Use barrel files in packages", "", "avoid")),
    ).toMatchObject({
      kind: "negation",
    });
    expect(contradicts("Use pnpm.", says("Use npm in this repository", "", "avoid"))).toBeUndefined();
  });

  it.each([
    ["the same in other words", "Use pnpm, not npm.", "This repo uses pnpm workspaces"],
    ["another environment", "Production uses Postgres.", "Tests run against SQLite in CI"],
    ["another part", "The API listens on port 3000.", "The worker listens on port 4000"],
    [
      "another subject with the same frame",
      "The billing service times out after 30 seconds.",
      "The orders service times out after 60 seconds",
    ],
    ["another kind of tests", "Unit tests use Vitest.", "End-to-end tests use Playwright"],
    ["a tool of another language", "Format with Prettier.", "Format Python with Black"],
    ["a narrower kind", "Logs are kept for 30 days.", "Audit logs are kept for 365 days"],
    ["a part of the matter", "The time-out is 10 seconds.", "The time-out of uploads is 60 seconds"],
    ["another store for other records", "Orders are stored in Postgres.", "The audit trail is stored in MySQL"],
    ["what only sounds alike", "Do not deploy on Fridays.", "Deploy notes are sent on Fridays"],
    ["what happened once", "Tests use Vitest.", "The tests were converted in a week, when Jest tests took too long"],
    [
      "the same of another name",
      "The box at Ulpha runs on 72 Ah and stops uploads below 11 V.",
      "The box at Zennor runs on 60 Ah and stops uploads below 11 V",
    ],
    ["a part of a place", "Staging lives in eu-west-1.", "Backups of staging are in us-east-1"],
    ["something of a place", "Staging lives in eu-west-1.", "Staging backups are in us-east-1"],
    ["a prohibition elsewhere", "Force-push is allowed on feature branches.", "Force-push is forbidden on main"],
    ["a prohibition for others", "Tests must not hit the network.", "The importer scripts hit the network"],
    ["a figure that was seen", "Coverage must be 80%.", "Coverage fell to 71% after the merge"],
    ["the end of a version", "Builds use Node 22.", "Support for Node 18 ended in spring"],
    ["history", "Use pnpm.", "The repo used to use npm"],
    ["a move to what the file says", "Use pnpm.", "The repo moved from npm to pnpm"],
    ["a condition", "Use pnpm.", "If pnpm is broken, use npm for the install"],
    ["an open range", "Requires Node >= 20.", "CI uses Node 22"],
    ["a more exact version", "Use Node 20.", "The project uses Node 20.19"],
    ["a narrower prohibition", "Never run tests in watch mode.", "Run tests before each commit"],
    ["a warning in support", "Never commit generated files.", "Committing generated files breaks the merge queue"],
    ["a place of its own", "Use pnpm.", "packages/legacy-site uses npm for its install"],
    ["code in a fence", "```\nnpm install\n```", "Use pnpm in this repository"],
    ["another count of the same thing", "Every pull request needs two approvals.", "A release needs three approvals"],
    ["publishing with another tool", "Use pnpm.", "Run `npm publish` from the release job"],
    ["an example", "Use names such as port 3000 for the dev server.", "The dev server runs on port 4000"],
    ["another day for another thing", "Releases go out on Tuesdays.", "The retro is on Thursday"],
  ])("says nothing of %s", (_, file, title) => {
    expect(contradicts(file, says(title))).toBeUndefined();
  });

  it("reads the headings above: a rule of one part binds no other", () => {
    expect(contradicts("# Frontend\n\nUse yarn.", says("The backend uses npm"))).toBeUndefined();
    expect(contradicts("# Working here\n\nUse yarn.", says("This repo uses npm"))).toMatchObject({ line: 3 });
  });
});
