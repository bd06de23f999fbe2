/** Counts what a reader met, and decides whether the file is of its format at all. */
import { ArcticMemError } from "../../core/errors.ts";
import type { FormatReport } from "../../core/session.ts";
import type { JsonlRecord } from "./read-records.ts";

/** Above this share of lines that can't be parsed, the file is not what it is taken for. */
const MAX_UNPARSABLE_SHARE = 0.2;

export interface FormatCounter {
  /** Call for every line. */
  count(line: JsonlRecord): void;
  /** A record that is part of the format and of no turn. */
  ignore(type: string): void;
  /** @throws {ArcticMemError} `FORMAT_UNKNOWN` where over a fifth can't be parsed. */
  report(path: string): FormatReport;
}

export function createFormatCounter(): FormatCounter {
  const counts: Record<JsonlRecord["kind"], number> = { record: 0, unparsable: 0, truncated: 0 };
  const ignored = new Map<string, number>();
  return {
    count: ({ kind }) => {
      counts[kind] += 1;
    },
    ignore: (type) => {
      ignored.set(type, (ignored.get(type) ?? 0) + 1);
    },
    report(path) {
      const { record: records, unparsable, truncated } = counts;
      const lines = records + unparsable + truncated;
      if (unparsable > lines * MAX_UNPARSABLE_SHARE) {
        throw new ArcticMemError("FORMAT_UNKNOWN", `${path}: ${unparsable} of ${lines} lines can't be parsed.`, {
          hint: "Is this a transcript of an agent session, one JSON object a line?",
        });
      }
      return { records, unparsable, truncated, ignored: Object.fromEntries([...ignored].sort()) };
    },
  };
}
