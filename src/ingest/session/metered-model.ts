/**
 * A model with a budget: every call is booked, and none is made that would go over what the user allows for a session or
 * a day. Budgets are also a defence: a planted session can't make us spend without end.
 */
import { isConfigError, ModelError } from "../../core/errors.ts";
import type { RunId, SessionId } from "../../core/ids.ts";
import { DAY_MS, startOfDay } from "../../core/time/days.ts";
import { CHARACTERS_PER_TOKEN } from "../../core/tokens.ts";
import type { LanguageModel, ModelReply, ModelRequest, ModelUsage } from "../../models/language-model.ts";
import type { SessionTable, UsageTotal } from "../../store/store.ts";

export interface Budgets {
  readonly callsPerSession: number;
  /** Characters sent to the model. */
  readonly charactersPerSession: number;
  readonly callsPerDay: number;
  readonly charactersPerDay: number;
  /** In the currency of the price table; null: no limit. */
  readonly moneyPerDay: number | null;
}

/** Price of a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

export interface MeteredModelDeps {
  readonly model: LanguageModel;
  readonly budgets: Budgets;
  /** undefined: unknown; then tokens are counted and money is not. */
  readonly price: Price | undefined;
  readonly usage: Pick<SessionTable, "usageSince" | "addUsage">;
  readonly now: () => Date;
  /** What the calls are booked under; null: neither a run nor a session of ours. */
  readonly run: RunId | null;
  readonly session: SessionId | null;
}

export interface MeteredModel extends LanguageModel {
  /** Which limit a call would have gone over; null while none has. */
  readonly exceeded: () => string | null;
}

const MILLION = 1_000_000;

export function meterModel(deps: MeteredModelDeps): MeteredModel {
  const { model, budgets, usage, now } = deps;
  const spent = { calls: 0, characters: 0 };
  let exceeded: string | null = null;

  const refuse = (limit: string): never => {
    exceeded = limit;
    throw new ModelError(`The budget is used up: ${limit}.`, {
      retryable: false,
      hint: "Raise `ingest.budgets` in the settings, or wait: the session is tried again.",
    });
  };

  return {
    name: model.name,
    endpoint: model.endpoint,
    contextTokens: model.contextTokens,
    exceeded: () => exceeded,
    async generate(request) {
      const characters = request.system.length + request.prompt.length;
      if (exceeded !== null) refuse(exceeded);
      if (spent.calls + 1 > budgets.callsPerSession) refuse("calls for this session");
      if (spent.characters + characters > budgets.charactersPerSession) refuse("characters for this session");
      const day = startOfDay(now());
      const today = await usage.usageSince(day, new Date(day.getTime() + DAY_MS));
      const limit = limitOfDay(budgets, today, characters);
      if (limit !== undefined) refuse(limit);
      spent.calls += 1;
      spent.characters += characters;
      const reply = await generateOrBook(deps, request, characters);
      spent.calls += Math.max(0, reply.calls - 1);
      await book(deps, reply.usage, reply.calls);
      return reply;
    },
  };
}

function limitOfDay(budgets: Budgets, today: UsageTotal, characters: number): string | undefined {
  if (today.calls + 1 > budgets.callsPerDay) return "calls for this day";
  if (today.inputTokens * CHARACTERS_PER_TOKEN + characters > budgets.charactersPerDay)
    return "characters for this day";
  if (budgets.moneyPerDay !== null && (today.cost ?? 0) >= budgets.moneyPerDay) return "money for this day";
  return undefined;
}

/**
 * A call that failed has reached the endpoint as a rule: it counts, or failing calls would never end. One for which the
 * settings are at fault, as where the key is missing, was never made.
 */
async function generateOrBook(deps: MeteredModelDeps, request: ModelRequest, characters: number): Promise<ModelReply> {
  try {
    return await deps.model.generate(request);
  } catch (error) {
    if (isConfigError(error)) throw error;
    const inputTokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
    await book(deps, { inputTokens, outputTokens: 0 }, 1);
    throw error;
  }
}

async function book(deps: MeteredModelDeps, usage: ModelUsage, calls: number): Promise<void> {
  const { price, run, session, model, now } = deps;
  const cost =
    price === undefined ? null : (usage.inputTokens * price.input + usage.outputTokens * price.output) / MILLION;
  await deps.usage.addUsage({ ...usage, calls, cost, run, session, model: model.name, at: now() });
}
