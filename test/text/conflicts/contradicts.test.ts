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
    ["Packages: pnpm.", "npm is what we install with", "value", "pnpm", "npm"],
    ["Install with `npm ci --ignore-scripts`.", "Dependencies come from pnpm", "value", "npm", "pnpm"],
    ["Tickets live in Linear.", "File each ticket in Jira", "value", "linear", "jira"],
    ["Docs are written in AsciiDoc.", "Write the docs in Markdown", "value", "asciidoc", "markdown"],
    ["We build containers with Podman.", "Container images are built by Docker", "value", "podman", "docker"],
    ["Sessions expire after 30 minutes.", "A session lasts an hour", "number", "30 minutes", "1 hour"],
    ["Backups are retained for two weeks.", "We keep backups for 30 days", "number", "2 weeks", "30 days"],
    ["Uploads: up to 1 GB.", "The limit of uploads is 50 MB", "number", "1 GB", "50 MB"],
    ["Password length: at least 12.", "Passwords must have at least 8 characters", "number", "12", "8 characters"],
    ["Coverage must not drop below 85 %.", "Coverage has to be at least 70 %", "number", "85 %", "70 %"],
    ["Standup is at 9:30.", "Standup is at 10:00", "number", "9:30", "10:00"],
    ["Code freeze starts on 15 December.", "Code freeze starts on 2027-12-01", "number", "15 december", "1 december"],
    ["Reindex every 6 hours.", "Reindexing happens every 12 hours", "number", "6 hours", "12 hours"],
    ["Minimum Python version: 3.11.", "Code has to work on Python 3.8", "number", "python ≥ 3.11", "python 3.8"],
    ["C++20 is the standard.", "Code must compile as C++17", "number", "c++ 20", "c++ 17"],
    ["Postgres is mapped to 5433 on the host.", "On the host Postgres answers on 5432", "number", "5433", "5432"],
    ["Open pull requests against `develop`.", "PRs target main", "value", "develop", "main"],
    ["Branch off from `main`.", "Feature branches start from develop", "value", "main", "develop"],
    ["Owner of billing: team Heron.", "Billing is owned by team Lynx", "value", "Heron", "Lynx"],
    ["On-call questions go to #sre-help.", "On-call questions are asked in #ops", "value", "#sre-help", "#ops"],
    ["Bucket for uploads: acme-eu.", "The bucket for uploads is media-us", "value", "acme-eu", "media-us"],
    ["Put new migrations into db/migrate.", "New migrations go to prisma/sql", "place", "db/migrate", "prisma/sql"],
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
    ["Comments are welcome.", "Avoid comments", "negation"],
    ["Write a changelog entry for every change.", "Changes need no changelog entry", "negation"],
    ["Ship without source maps.", "Source maps are shipped with every build", "negation"],
    ["No console.log in committed code.", "Leave console.log in committed code", "negation"],
    ["Strict mode stays on.", "Strict mode is switched off in this repository", "opposite"],
    ["Tests run in parallel.", "Tests run one after another", "opposite"],
    ["The column `created_by` is required.", "The column `created_by` is optional", "opposite"],
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
    ["the same time in another unit", "Sessions expire after 60 minutes.", "A session lasts an hour"],
    ["the same size in another unit", "Uploads: up to 1 GB.", "Uploads may have 1024 MB"],
    ["what stays within a bound", "Cover at least 80 % of lines.", "Coverage of lines is 91 %"],
    ["an aim below a limit", "Files are at most 400 lines.", "Files should aim for fewer than 200 lines"],
    ["a tool after a prohibition", "Use pnpm; never run npm install.", "Run `pnpm install` after each pull"],
    ["a plain word after a prohibition", "Don't use `any`.", "The Sentry project is called shop-web"],
    ["a word that only looks like stopping", "Expect a stop at noon.", "Gift cards are booked when used"],
    ["another object", "Never push to main.", "The release job pushes the tag to main"],
    ["another verb", "Tests need no database.", "Parallel tests share their own database"],
    ["a duration beside an interval", "Reindex every 6 hours.", "A reindex takes 2 hours"],
    ["the version of another product", "Target Java 21.", "The Gradle daemon runs on Java 17"],
    ["what was tried once", "Use Node 22.", "The build was checked on Node 24"],
    ["one kind of lines", "Indent with 2 spaces.", "Continuation lines are indented with 4 spaces"],
    ["two spellings of a name", "The database is Postgres.", "The database is PostgreSQL"],
    ["dependencies of one part", "Use pnpm.", "The importer's dependencies are installed with npm"],
    ["where a package goes", "Use pnpm.", "Packages are published to npm"],
    ["people at two places", "Warning level 2 at Ashgill is high.", "Warning level 2 at Birkbeck is high"],
    ["praise of a thing", "The log format is JSON.", "The log format is ugly"],
    [
      "a clause of another subject",
      "Loading at Frick begins early; gate 2 is for electric vans.",
      "Loading at Giswil begins early; gate 3 is for electric vans",
    ],
    ["another day for another thing", "Releases go out on Tuesdays.", "The retro is on Thursday"],
  ])("says nothing of %s", (_, file, title) => {
    expect(contradicts(file, says(title))).toBeUndefined();
  });

  it("reads the headings above: a rule of one part binds no other", () => {
    expect(contradicts("# Frontend\n\nUse yarn.", says("The backend uses npm"))).toBeUndefined();
    expect(contradicts("# Working here\n\nUse yarn.", says("This repo uses npm"))).toMatchObject({ line: 3 });
  });
});
