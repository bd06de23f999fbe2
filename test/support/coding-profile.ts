/** A coding profile for tests of stages: small, with one entry of each kind, and independent of the bundled one. */
import type { Profile } from "../../src/core/profile.ts";

export const CODING: Profile = {
  id: "coding",
  version: 1,
  types: [
    {
      id: "lesson",
      label: "Lesson",
      definition: "What went wrong or right.",
      keep: "The 2023 ledger export has no header row.",
      reject: "Tests should pass.",
      halfLifeDays: 180,
    },
    {
      id: "context",
      label: "Context",
      definition: "State that the code does not show.",
      keep: "The staging database is frozen until May.",
      reject: "The code is in src.",
      halfLifeDays: 90,
    },
    {
      id: "preference",
      label: "Preference",
      definition: "How the user works.",
      keep: "The user wants table-driven tests.",
      reject: "The user likes good code.",
      halfLifeDays: null,
    },
    {
      id: "pointer",
      label: "Pointer",
      definition: "Where things are outside the code.",
      keep: "Deploy dashboard: https://deploys.example/tide.",
      reject: "The README explains it.",
      halfLifeDays: null,
    },
  ],
  limits: { maxFacts: 10, maxFailureLessons: 3, summariseOverChars: 80_000, titleMax: 80 },
  prompt: {
    role: "You keep the notes of a software project.",
    keepTest: [
      "A competent agent with the repository open would not know it or find it in minutes.",
      "It is likely to matter again.",
      "The cited turns support it.",
      "It is still true at the end of the session.",
    ],
    never: ["generic practice", "restated code, paths or build output", "task status", "secrets"],
  },
  outcome: {
    verifyCommands: [
      "^(?:npm|pnpm|yarn)\\s+(?:run\\s+)?(?:test|check|lint|build)\\b",
      "(?:vitest|tsc|biome)\\b",
      "^(?:pytest|cargo\\s+test|go\\s+test|make\\s+test|dbt\\s+(?:test|build))\\b",
      "^psql\\b",
    ],
    readOnlyCommands: ["^(?:ls|cat|grep|rg|find|git\\s+(?:status|log|diff|show))\\b", "^(?:Read|Grep|Glob)$"],
    editTools: ["Edit", "Write", "MultiEdit", "NotebookEdit"],
    onUnknown: "provisional",
    onPartial: "provisional",
    judge: "unknown_only",
    userStatedFromAny: true,
    failureLessons: true,
  },
  filters: { genericAdvice: ["write unit tests", "handle errors gracefully", "follow best practices"], off: [] },
  redaction: { pii: false },
  lifecycle: { allowDelete: true, deleteCap: 3 },
};
