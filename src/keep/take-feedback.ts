/**
 * What agents and people say of a memory after they used it. An agent's word is weak: a text that it read may have made it
 * say so. It can put a few memories aside, reversibly, and lifts none.
 */
import { ArcticMemError } from "../core/errors.ts";
import {
  callerOf,
  type Feedback,
  type FeedbackReport,
  isHarmful,
  stands,
  type UsageEvent,
  VERDICTS,
} from "../core/findings/feedback.ts";
import type { MemoryId } from "../core/ids.ts";
import type { EventKind } from "../core/lifecycle.ts";
import { isLive, type MemoryRecord } from "../core/memory-record.ts";
import { DAY_MS } from "../core/time/days.ts";
import { inTurn } from "../core/time/in-turn.ts";
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
/** One session of an agent puts no more memories aside within a day. */
const MOST_PUT_ASIDE = 5;
/** From then on it is another text, or the user has decided: what was said before counts no more against its standing. */
const SETTLING: readonly EventKind[] = ["updated", "edited", "confirmed", "restored"];

/** What is said at once takes turns, so that each sees how much was put aside before it. */
const oneByOne = inTurn<FeedbackDeps["store"]>();

/** @throws {ArcticMemError} `INPUT_INVALID` for an unknown verdict; what `changeMemory` throws: then nothing was said. */
export async function takeFeedback(
  deps: FeedbackDeps,
  memory: MemoryRecord,
  feedback: Feedback,
): Promise<FeedbackReport> {
  const event = eventOf(memory.id, feedback, deps.now());
  const note = feedback.note === undefined ? "" : cleanLine(await deps.redact(feedback.note), NOTE_CHARACTERS);
  return oneByOne(deps.store, () => takeOne(deps, event, { memory, note }));
}

/** The memory changes first: a verdict that could not be carried out can be said again. */
async function takeOne(
  deps: FeedbackDeps,
  event: UsageEvent,
  { memory, note }: { readonly memory: MemoryRecord; readonly note: string },
): Promise<FeedbackReport> {
  const earlier = await saidInSession(deps, event);
  if (earlier !== undefined && stands(earlier, event)) return { memory, effect: "known" };
  const said = await saidBefore(deps, event);
  let effect = "noted" as Effect;
  const changed = await changeMemory(deps, memory.id, (current) => {
    effect = effectOn(current, event, said);
    if (!putsAside(effect)) return undefined;
    const reason = reasonFor(event, effect);
    const inFull = note === "" ? reason : `${reason} ${note}`;
    const [actor, rules] = [event.who, rulesOf(event, effect)];
    return { patch: { status: effect, reason }, kind: effect, actor, rules, reason: inFull };
  });
  if (!putsAside(effect) && earlier !== event.kind) {
    const { memory: id, who: actor, at } = event;
    const judged = { memory: id, kind: "judged", run: null, actor, rules: rulesOf(event, effect), at } as const;
    await deps.store.memories.apply([], [{ ...judged, reason: note === "" ? null : note }]);
  }
  await deps.store.usage.add(event);
  return { memory: changed, effect };
}

/** The verdict that this voice has given in this session. */
async function saidInSession(
  { store }: FeedbackDeps,
  { memory, who, session }: UsageEvent,
): Promise<UsageEvent["kind"] | undefined> {
  const events = await store.usage.list({ memory, session });
  return events.findLast((event) => event.who === who && event.kind !== "opened")?.kind;
}

function eventOf(memory: MemoryId, feedback: Feedback, at: Date): UsageEvent {
  const { verdict, by } = feedback;
  if (!VERDICTS.includes(verdict)) {
    throw new ArcticMemError("INPUT_INVALID", `${JSON.stringify(verdict)} is no verdict.`, {
      hint: `Say one of: ${VERDICTS.join(", ")}.`,
    });
  }
  return { memory, kind: verdict, who: ACTORS[by], ...callerOf(feedback), at };
}

interface SaidBefore {
  /** Whether an agent has spoken against the memory in another session. */
  readonly elsewhere: boolean;
  /** Against how many other memories that an agent may put aside this session has spoken of late. */
  readonly others: number;
}

/** A session that the host does not name can't be told from another, and so is no second one. */
async function saidBefore({ store }: FeedbackDeps, { memory, session, at }: UsageEvent): Promise<SaidBefore> {
  const isAgainst = ({ who, kind }: UsageEvent): boolean => who === "agent" && isHarmful(kind);
  const history = await store.memories.events({ memory });
  const settledAt = history.find(({ kind }) => SETTLING.includes(kind))?.at ?? new Date(0);
  const ofMemory = (await store.usage.list({ memory })).filter(isAgainst);
  const ofSession = (await store.usage.list({ session, since: new Date(at.getTime() - DAY_MS) })).filter(isAgainst);
  const others = [...new Set(ofSession.map((one) => one.memory))].filter((id) => id !== memory);
  return {
    elsewhere:
      session !== null && ofMemory.some((one) => one.session !== null && one.session !== session && one.at > settledAt),
    others: (await store.memories.getMany(others)).filter((other) => !isUsersOwn(other)).length,
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
