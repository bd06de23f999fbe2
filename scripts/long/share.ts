/** One share of a long part: what a worker process is asked for, and what it tells. Shares of one part add up. */

export interface ShareRequest {
  readonly seed: number;
  readonly cases: number;
  /** The share ends then, whatever is left. */
  readonly seconds: number;
}

export interface Share {
  /** Cases that were run. */
  readonly cases: number;
  /** Whatever is counted, by name. */
  readonly counts: Readonly<Record<string, number>>;
  /** Milliseconds of single cases by name; the report shows their quantiles. */
  readonly times: Readonly<Record<string, readonly number[]>>;
  /** What must not be, each with enough to run it again; at most twenty. */
  readonly violations: readonly string[];
  readonly seconds: number;
}

const MOST_VIOLATIONS = 20;
/** Of so many cases one is timed, so that the sample stays small. */
const TIMED_SHARE = 10;

/** Counts while a share runs. */
export class ShareCount {
  readonly #counts: Record<string, number> = {};
  readonly #times: Record<string, number[]> = {};
  readonly #violations: string[] = [];
  readonly #startedAt = performance.now();
  readonly #request: ShareRequest;
  #cases = 0;

  constructor(request: ShareRequest) {
    this.#request = request;
  }

  isOver(): boolean {
    return this.#cases >= this.#request.cases || performance.now() - this.#startedAt > this.#request.seconds * 1000;
  }

  case(): void {
    this.#cases += 1;
  }

  add(name: string, count = 1): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + count;
  }

  /** @param always - Every value is kept: for cases that are few. */
  time(name: string, milliseconds: number, always = false): void {
    if (!always && this.#cases % TIMED_SHARE !== 0) return;
    const known = this.#times[name] ?? [];
    this.#times[name] = known;
    known.push(Number(milliseconds.toFixed(2)));
  }

  violation(sentence: string): void {
    this.add("violations");
    if (this.#violations.length < MOST_VIOLATIONS) this.#violations.push(sentence);
  }

  finish(): Share {
    return {
      cases: this.#cases,
      counts: this.#counts,
      times: this.#times,
      violations: this.#violations,
      seconds: (performance.now() - this.#startedAt) / 1000,
    };
  }
}

export function addShares(shares: readonly Share[]): Share {
  const counts: Record<string, number> = {};
  const times: Record<string, number[]> = {};
  for (const share of shares) {
    for (const [name, count] of Object.entries(share.counts)) counts[name] = (counts[name] ?? 0) + count;
    for (const [name, values] of Object.entries(share.times)) times[name] = [...(times[name] ?? []), ...values];
  }
  return {
    cases: shares.reduce((sum, share) => sum + share.cases, 0),
    counts,
    times,
    violations: shares.flatMap((share) => share.violations),
    seconds: Math.max(0, ...shares.map((share) => share.seconds)),
  };
}
