/**
 * What agents and people say of a memory after they used it. An agent's word is weak: a text that it read may have made it
 * say so. It can put a few memories aside, reversibly, and lifts none.
 */
import { ArcticMemError } from "../core/errors.ts";
import { type Feedback, type FeedbackReport, isHarmful, type UsageEvent, VERDICTS } from "../core/findings/feedback.ts";
import { type MemoryId, sessionId } from "../core/ids.ts";
import type { EventKind } from "../core/lifecycle.ts";
import { isLive, type MemoryRecord } from "../core/memory-record.ts";
import { DAY_MS } from "../core/time/days.ts";
import type { Store } from "../store/store.ts";
import { cleanLine } from "../text/clean.ts";
import { ACTORS, changeMemory, type KeepDeps } from "./change-memory.ts";
import { isUsersOwn } from "./forget-memory.ts";

export interface FeedbackDeps extends KeepDeps {
  readonly store: Pick<Store, "memories" | "usage">;
  /** Takes secrets out of a note. */
  readonly redact: (text: string) => Promise<string>;
}

type Effect = FeedbackReport["effect"];

const NOTE_CHARACTERS = 300;
/** One session of an agent puts no more memories aside within a day; its words against protected ones count too. */
const MOST_PUT_ASIDE = 5;
/** From then on it is another text, or the user has decided: what was said before counts no more against its standing. */
const SETTLING: readonly EventKind[] = ["updated", "edited", "confirmed", "restored"];

/** @throws {ArcticMemError} `INPUT_INVALID` for an unknown verdict; what `changeMemory` throws. */
export async function takeFeedback(
  deps: FeedbackDeps,
  memory: MemoryRecord,
  feedback: Feedback,
): Promise<FeedbackReport> {
  const event = eventOf(memory.id, feedback, deps.now());
  const note = feedback.note === undefined ? "" : cleanLine(await deps.redact(feedback.note), NOTE_CHARACTERS);
  if (!(await deps.store.usage.add(event))) return { memory, effect: "known" };
  const said = await saidBefore(deps, event);
  let effect = "noted" as Effect;
  const changed = await changeMemory(deps, memory.id, (current) => {
    effect = effectOn(current, event, said);
    if (!putsAside(effect)) return undefined;
    const reason = reasonFor(event, effect);
    const inFull = note === "" ? reason : `${reason} ${note}`;
    return {
      patch: { status: effect, reason },
      kind: effect,
      actor: event.who,
      rules: rulesOf(event, effect),
      reason: inFull,
    };
  });
  if (!putsAside(effect)) {
    const { memory: id, who: actor, at } = event;
    const judged = { memory: id, kind: "judged", run: null, actor, rules: rulesOf(event, effect), at } as const;
    await deps.store.memories.apply([], [{ ...judged, reason: note === "" ? null : note }]);
  }
  return { memory: changed, effect };
}

function eventOf(memory: MemoryId, { verdict, by, session, host }: Feedback, at: Date): UsageEvent {
  if (!VERDICTS.includes(verdict)) {
    throw new ArcticMemError("INPUT_INVALID", `${JSON.stringify(verdict)} is no verdict.`, {
      hint: `Say one of: ${VERDICTS.join(", ")}.`,
    });
  }
  const from = { session: session === undefined ? null : sessionId(session), host: host ?? null };
  return { memory, kind: verdict, who: ACTORS[by], ...from, at };
}

interface SaidBefore {
  /** Whether an agent has spoken against the memory in another session. */
  readonly elsewhere: boolean;
  /** Against how many other memories this session has spoken of late. */
  readonly others: number;
}

/** A session that the host does not name can't be told from another, and so is no second one. */
async function saidBefore({ store }: FeedbackDeps, { memory, session, at }: UsageEvent): Promise<SaidBefore> {
  const isAgainst = ({ who, kind }: UsageEvent): boolean => who === "agent" && isHarmful(kind);
  const history = await store.memories.events({ memory });
  const settledAt = history.find(({ kind }) => SETTLING.includes(kind))?.at ?? new Date(0);
  const ofMemory = (await store.usage.list({ memory })).filter(isAgainst);
  const ofSession = (await store.usage.list({ session, since: new Date(at.getTime() - DAY_MS) })).filter(isAgainst);
  return {
    elsewhere:
      session !== null && ofMemory.some((one) => one.session !== null && one.session !== session && one.at > settledAt),
    others: ofSession.filter((one) => one.memory !== memory).length,
  };
}

function effectOn(memory: MemoryRecord, { kind, who }: UsageEvent, { elsewhere, others }: SaidBefore): Effect {
  if (!isHarmful(kind) || !isLive(memory)) return "noted";
  if (who === "user") return "archived";
  if (isUsersOwn(memory)) return "protected";
  if (others >= MOST_PUT_ASIDE) return "capped";
  if (memory.status !== "disputed") return "disputed";
  return elsewhere && memory.source !== "user_confirmed" ? "archived" : "noted";
}

function putsAside(effect: Effect): effect is "disputed" | "archived" {
  return effect === "disputed" || effect === "archived";
}

/** Shown with the memory: in our words, as a note of an agent may repeat what some text told it to say. */
function reasonFor({ kind, who }: UsageEvent, effect: Effect): string {
  if (who === "user") return `The user called it ${kind}.`;
  return effect === "archived" ? "Agents of two sessions found it wrong or stale." : `An agent found it ${kind}.`;
}

function rulesOf({ kind }: UsageEvent, effect: Effect): string[] {
  return [`feedback:${kind}`, ...(effect === "protected" || effect === "capped" ? [`feedback:${effect}`] : [])];
}
