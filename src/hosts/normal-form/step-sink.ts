/** Hands the steps of a transcript's records to the session's builder, and remembers how the session stands. */
import type { FormatCounter } from "./format-report.ts";
import type { RecordStep, SessionState } from "./record-steps.ts";
import type { SessionBuilder } from "./session-builder.ts";

export interface StepSink {
  take(steps: readonly RecordStep[]): void;
  /** A record that was too long to be read. */
  takeTruncated(bytes: number): void;
  /** The model's service failed, told by a record that is no turn. */
  noteFailure(): void;
  state(): SessionState;
}

export function createStepSink(builder: SessionBuilder, counter: FormatCounter): StepSink {
  let state: SessionState;
  const takeOne = (step: RecordStep): void => {
    if (step.kind === "injected") builder.noteInjected(step.text);
    else if (step.kind === "ignored") counter.ignore(step.type);
    else {
      builder.add(step.draft);
      state = step.state;
    }
  };
  return {
    take: (steps) => {
      for (const step of steps) takeOne(step);
    },
    takeTruncated: (bytes) =>
      builder.add({ kind: "event", text: `[record of ${bytes} bytes left out]`, origin: "tool_local" }),
    noteFailure: () => {
      state = "api_error";
    },
    state: () => state,
  };
}
