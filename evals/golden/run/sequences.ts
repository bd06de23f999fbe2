/**
 * F16: what was true is overtaken by what a later session says, without anybody saying that it is. Sessions about one
 * matter, each with another value; they are ingested in every order, since a queue keeps none: the value of the latest
 * session is the one that holds, whichever came last into the store.
 */
import { buildText } from "../../../test/support/golden/build.ts";

export interface Sequence {
  readonly name: string;
  readonly host: "claude-code" | "codex" | "gemini";
  /** `held` ones are reported apart. */
  readonly split: "dev" | "held";
  /** What a later agent asks. */
  readonly ask: string;
  /** In the order of the sessions' times; the last one holds. */
  readonly values: readonly SequenceValue[];
}

export interface SequenceValue {
  /** What the user says. */
  readonly told: string;
  /** Small letters: a text that holds it, and no later value, says this value. */
  readonly value: string;
}

const CWD = "/home/jonas/fw/porter";
const FIRST_DAY = Date.UTC(2026, 3, 6, 8, 30);
const WEEK_MS = 7 * 86_400_000;

const said = (value: string, told: string): SequenceValue => ({ value, told });

export const SEQUENCES: readonly Sequence[] = [
  {
    name: "sequence-port",
    host: "claude-code",
    split: "dev",
    ask: "On which port does the map server of the porter fleet listen?",
    values: [
      said("7410", "Remember that the map server of the porter fleet listens on port 7410."),
      said("7455", "Remember that the map server of the porter fleet listens on port 7455."),
      said("7490", "Remember that the map server of the porter fleet listens on port 7490."),
    ],
  },
  {
    name: "sequence-version",
    host: "codex",
    split: "held",
    ask: "Which version of the motion firmware does the lift need?",
    values: [
      said("3.2", "Remember that the lift needs motion firmware 3.2, because older ones lose the homing switch."),
      said("3.6", "Remember that the lift needs motion firmware 3.6, because older ones lose the homing switch."),
      said("4.1", "Remember that the lift needs motion firmware 4.1, because older ones lose the homing switch."),
    ],
  },
  {
    name: "sequence-limit",
    host: "gemini",
    split: "dev",
    ask: "How long may one run of the bench tests take?",
    values: [
      said("20 minutes", "Remember that one run of the bench tests may take 20 minutes before the rig is cut off."),
      said("35 minutes", "Remember that one run of the bench tests may take 35 minutes before the rig is cut off."),
      said("50 minutes", "Remember that one run of the bench tests may take 50 minutes before the rig is cut off."),
    ],
  },
  {
    name: "sequence-owner",
    host: "claude-code",
    split: "dev",
    ask: "Who reviews changes to the brake controller?",
    values: [
      said("odile", "Always ask Odile to review changes to the brake controller in src/brake."),
      said("tomasz", "Always ask Tomasz to review changes to the brake controller in src/brake."),
      said("henrike", "Always ask Henrike to review changes to the brake controller in src/brake."),
    ],
  },
  {
    name: "sequence-branch",
    host: "codex",
    split: "held",
    ask: "From which branch are release images built?",
    values: [
      said("ship-2025", "Remember that release images are built from the branch ship-2025, never from main."),
      said("ship-2026a", "Remember that release images are built from the branch ship-2026a, never from main."),
      said("ship-2026b", "Remember that release images are built from the branch ship-2026b, never from main."),
    ],
  },
];

/** All orders in which `count` things can come, the one of their times first. */
export function ordersOf(count: number): number[][] {
  if (count === 0) return [[]];
  return ordersOf(count - 1)
    .flatMap((order) => Array.from({ length: count }, (_, place) => order.toSpliced(place, 0, count - 1)))
    .sort((a, b) => a.join().localeCompare(b.join()));
}

/** The transcript of one session: the user says the value, something is done and tested, the user is content. */
export function transcriptOf({ name, host }: Sequence, { told }: SequenceValue, at: number): string {
  const notation = `host: ${host}
format: ${host === "codex" ? "new" : "jsonl"}
cwd: ${CWD}
branch: main
at: ${new Date(FIRST_DAY + at * WEEK_MS).toISOString()}
--- user
Tidy the notes of the week in docs/week-${at + 14}.md. ${told}
--- edit docs/week-${at + 14}.md
open: yes
===
open: no
--- run python3 -m pytest tests/docs -q
6 passed in 0.41s
--- agent
The notes are in order and the tests of the docs pass.
--- user
Great, thanks.
`;
  return buildText(notation, `${name}-${at}`);
}
