/**
 * Which model embeds a query: the one whose vectors serve, whatever the config says meanwhile. A swap builds the new
 * vectors beside the old ones, and until they take over the model of the old ones has to be asked. So each model whose
 * vectors the store holds is noted there as it was set up, without its key.
 */
import { isDeepStrictEqual } from "node:util";
import { DEFAULT_CONFIG, type EmbedderConfig, isRemote } from "../../config/config.ts";
import { ModelError, messageOf } from "../../core/errors.ts";
import type { Embedder } from "../../models/embedder.ts";
import type { SettingTable, Store } from "../../store/store.ts";
import { chooseEmbedder, type EmbedderPlace } from "./choose-models.ts";

/** How a model was set up, by its fingerprint. */
interface Setup {
  readonly config: EmbedderConfig;
  readonly dimensions: number;
}

const SETUPS_KEY = "embedder-setups";

async function readSetups(settings: SettingTable): Promise<Readonly<Record<string, Setup>>> {
  const text = await settings.get(SETUPS_KEY);
  return text === undefined ? {} : (JSON.parse(text) as Record<string, Setup>);
}

export interface ServingDeps {
  readonly store: () => Promise<Store>;
  /** As it stands in the file now. */
  readonly config: () => Promise<EmbedderConfig>;
  readonly place: EmbedderPlace;
  /** Used instead of what the config names; null: none. */
  readonly given: Embedder | null | undefined;
}

/** The models of one memory, each opened once. */
export class Embedders {
  readonly #deps: ServingDeps;
  readonly #opened = new Map<string, Promise<Embedder | undefined>>();

  constructor(deps: ServingDeps) {
    this.#deps = deps;
  }

  /**
   * The model that the user wants: the one that texts are embedded with.
   *
   * @throws {ArcticMemError} what opening it throws; the next call tries again.
   */
  async wanted(): Promise<Embedder | undefined> {
    const { given } = this.#deps;
    if (given !== undefined) return given ?? undefined;
    const config = await this.#deps.config();
    const key = JSON.stringify(config);
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    return this.#open(key, config, isRemote(config.provider) ? await this.#knownDimensions(config) : undefined);
  }

  /**
   * The model whose vectors serve. Where it can't be had, one that fails with the reason: words and symbols answer then.
   * Undefined where the user wants none, or nothing is embedded yet by a model that would have to be asked over HTTP.
   */
  async serving(): Promise<Embedder | undefined> {
    const { given } = this.#deps;
    if (given === null) return undefined;
    const config = given === undefined ? await this.#deps.config() : undefined;
    if (config?.provider === "none") return undefined;
    const store = await this.#deps.store();
    const active = await store.index.activeFingerprint();
    if (active === undefined) return config !== undefined && isRemote(config.provider) ? undefined : this.wanted();
    if (given?.fingerprint === active) return given;
    const setup = (await readSetups(store.settings))[active];
    try {
      const wanted = setup?.config ?? DEFAULT_CONFIG.embedder;
      const embedder = await this.#open(JSON.stringify(wanted), wanted, setup?.dimensions);
      if (embedder?.fingerprint === active) return embedder;
      return unavailable(active, `the stored vectors are of ${active}, which is not set up here any more`);
    } catch (thrown) {
      return unavailable(active, messageOf(thrown));
    }
  }

  /** Notes how the wanted model is set up, so that it can serve queries when the config has moved on. */
  async note({ fingerprint, dimensions }: Embedder): Promise<void> {
    if (this.#deps.given !== undefined) return;
    const { settings } = await this.#deps.store();
    const setups = await readSetups(settings);
    const config = await this.#deps.config();
    if (isDeepStrictEqual(setups[fingerprint]?.config, config)) return;
    await settings.set(SETUPS_KEY, JSON.stringify({ ...setups, [fingerprint]: { config, dimensions } }));
  }

  /** Forgets the set-ups of all models but this one. */
  async forgetOthers(fingerprint: string): Promise<void> {
    const { settings } = await this.#deps.store();
    const { [fingerprint]: own, ...others } = await readSetups(settings);
    if (Object.keys(others).length === 0) return;
    await settings.set(SETUPS_KEY, JSON.stringify(own === undefined ? {} : { [fingerprint]: own }));
  }

  async close(): Promise<void> {
    const all = await Promise.all([...this.#opened.values()].map((opening) => opening.catch(() => undefined)));
    await Promise.all([...all, this.#deps.given].map((embedder) => embedder?.close()));
    this.#opened.clear();
  }

  #open(key: string, config: EmbedderConfig, knownDimensions: number | undefined): Promise<Embedder | undefined> {
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const opening = chooseEmbedder(config, { ...this.#deps.place, knownDimensions });
    this.#opened.set(key, opening);
    opening.catch(() => this.#opened.delete(key));
    return opening;
  }

  async #knownDimensions(config: EmbedderConfig): Promise<number | undefined> {
    const { settings } = await this.#deps.store();
    const setups = Object.values(await readSetups(settings));
    return setups.find((setup) => isDeepStrictEqual(setup.config, config))?.dimensions;
  }
}

function unavailable(fingerprint: string, reason: string): Embedder {
  return {
    fingerprint,
    dimensions: 1,
    maxTokens: 1,
    embed: () => Promise.reject(new ModelError(reason, { retryable: false })),
    close: async () => {},
  };
}
