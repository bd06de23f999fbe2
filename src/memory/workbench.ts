/**
 * What the parts of the memory share, each piece opened when it is first asked for: a hook that only spools opens no
 * store, a search that only reads loads no language model.
 */
import { homedir } from "node:os";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import { isDisabled, type PathEnvironment, type Paths, resolvePaths, workingFolder } from "../config/paths.ts";
import { type IdSource, type ProjectId, randomIds } from "../core/ids.ts";
import type { Profile } from "../core/profile.ts";
import type { HostEnvironment } from "../hosts/host.ts";
import type { Embedder } from "../models/embedder.ts";
import type { LanguageModel } from "../models/language-model.ts";
import type { ProjectIdentity } from "../project/identity.ts";
import type { RetrievalSettings } from "../retrieve/settings.ts";
import type { Store } from "../store/store.ts";
import { carryOver } from "./earlier/earlier-identities.ts";
import { KeptStore } from "./kept-store.ts";
import type { Embedders } from "./models/serving-embedder.ts";

export interface OpenMemoryOptions {
  /** Where the project is looked for; default the process's own directory. */
  readonly cwd?: string;
  /** Default: the process's own. */
  readonly environment?: PathEnvironment;
  /** Default: the system's clock. */
  readonly now?: () => Date;
  /** Source of new ids. Default: random ones. */
  readonly ids?: IdSource;
  /** How long a write waits for another process that writes. Default 5,000. */
  readonly storeWaitMs?: number;
  /** Default: what the config names. `null`: none, so that words and symbols answer. */
  readonly embedder?: Embedder | null;
  /** Default: what the config names. `null`: none, so that rules extract. */
  readonly languageModel?: LanguageModel | null;
  /** For measuring: settings of the search instead of those in force. Asked at each search. */
  readonly retrieval?: () => RetrievalSettings | undefined;
}

export interface Workbench {
  readonly cwd: string;
  readonly environment: HostEnvironment;
  readonly paths: Paths;
  readonly now: () => Date;
  readonly ids: IdSource;
  config(): Promise<Config>;
  /** Whether the variable or the config switches everything off. */
  isOff(): Promise<boolean>;
  /** @throws {ArcticMemError} what opening a store throws. */
  store(): Promise<Store>;
  /** The model that the config names now: what texts are embedded with. @throws {ArcticMemError} where it can't be had. */
  embedder(): Promise<Embedder | undefined>;
  /** The model whose vectors serve: what queries are embedded with. */
  serving(): Promise<Embedder | undefined>;
  noteEmbedder(embedder: Embedder): Promise<void>;
  forgetOtherEmbedders(fingerprint: string): Promise<void>;
  languageModel(): Promise<LanguageModel | undefined>;
  profile(): Promise<Profile>;
  /** The project of `folder`, default the one of `cwd`. */
  identity(folder?: string): Promise<ProjectIdentity>;
  /** Looks again at the next question: the user has said something about it. */
  forgetIdentities(): void;
  /** Settings that somebody wants measured instead of those in force. */
  readonly retrieval: () => RetrievalSettings | undefined;
  /** A project's id in the store: that of the project it was merged into, if it was. Given an identity, it writes nothing. */
  projectId(identity?: ProjectIdentity): Promise<ProjectId>;
  /** The same, after the store has learned of the project. */
  registerProject(identity?: ProjectIdentity): Promise<ProjectId>;
  close(): Promise<void>;
}

/** Setting that says a checkout's own name was accepted. */
export const acceptedKey = (root: string): string => `override:${root}`;

export function openWorkbench(options: OpenMemoryOptions): Workbench {
  const environment = options.environment ?? { platform: process.platform, variables: process.env };
  const home = environment.variables[environment.platform === "win32" ? "USERPROFILE" : "HOME"] ?? homedir();
  const cwd = options.cwd ?? workingFolder(environment.variables);
  const paths = resolvePaths(environment);
  const kept = new KeptStore({ path: paths.store, open: () => openStore(bench, options) });
  const opened: { embedders?: Promise<Embedders> } = {};
  const embedders = (): Promise<Embedders> => (opened.embedders ??= openEmbedders(bench, { options, environment }));
  const identities = new Map<string, Promise<ProjectIdentity>>();

  const config = once(() => loadConfig(paths, validateLazily));
  const bench: Workbench = {
    cwd,
    environment: { home, variables: environment.variables },
    paths,
    now: options.now ?? (() => new Date()),
    ids: options.ids ?? randomIds,
    config,
    isOff: async () => isDisabled(environment.variables) || (await config()).disabled,
    store: () => kept.get(),
    embedder: async () => (await embedders()).wanted(),
    serving: async () => (await embedders()).serving(),
    noteEmbedder: async (embedder) => (await embedders()).note(embedder),
    forgetOtherEmbedders: async (fingerprint) => (await embedders()).forgetOthers(fingerprint),
    languageModel: once(() => languageModelOf(options, { config, environment })),
    profile: once(async () => {
      const { loadProfile } = await import("../config/profiles.ts");
      return loadProfile((await config()).profile, paths);
    }),
    identity: (folder = cwd) => {
      const known = identities.get(folder) ?? identify(bench, folder);
      identities.set(folder, known);
      return known;
    },
    retrieval: options.retrieval ?? (() => undefined),
    forgetIdentities: () => identities.clear(),
    projectId: async (identity) => {
      const { id } = identity ?? (await bench.identity());
      if (identity === undefined) await carryOver(bench, await bench.identity());
      return (await (await bench.store()).projects.get(id))?.id ?? id;
    },
    registerProject: async (identity) => {
      const found = identity ?? (await bench.identity());
      await carryOver(bench, found);
      const { id, name, remote, root } = found;
      return (await bench.store()).projects.upsert({ id, name, remote, root });
    },
    close: async () => {
      await (await opened.embedders)?.close();
      await kept.close();
    },
  };
  return bench;
}

/** What failed is made anew at the next call: the user may have mended the cause. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  const forget = (error: unknown): never => {
    made = undefined;
    throw error;
  };
  return () => (made ??= make().catch(forget));
}

async function validateLazily(text: string, file: string): Promise<Config> {
  const { validateConfig } = await import("../config/validate-config.ts");
  return validateConfig(text, file);
}

async function openStore({ paths, ids, environment }: Workbench, { storeWaitMs }: OpenMemoryOptions): Promise<Store> {
  const { openSqliteStore } = await import("../store/sqlite/open-store.ts");
  const maxPageCount = Number(environment.variables.ARCTICMEM_MAX_PAGES ?? 0);
  return openSqliteStore({
    path: paths.store,
    ids,
    ...(maxPageCount > 0 ? { maxPageCount } : {}),
    ...(storeWaitMs === undefined ? {} : { busyTimeoutMs: storeWaitMs }),
  });
}

async function identify(bench: Workbench, folder: string): Promise<ProjectIdentity> {
  const { identifyProject } = await import("../project/identity.ts");
  const isAccepted = async (root: string, name: string): Promise<boolean> =>
    (await (await bench.store()).settings.get(acceptedKey(root))) === name;
  return identifyProject({ isAccepted, home: bench.environment.home }, folder);
}

interface EmbedderChoice {
  readonly options: OpenMemoryOptions;
  readonly environment: PathEnvironment;
}

/** The config is read anew each time: a server that has run for long follows a change of the model. */
async function openEmbedders(bench: Workbench, { options, environment }: EmbedderChoice): Promise<Embedders> {
  const { Embedders } = await import("./models/serving-embedder.ts");
  return new Embedders({
    store: bench.store,
    config: async () => (await loadConfig(bench.paths, validateLazily)).embedder,
    place: { environment: environment.variables, models: bench.paths.models },
    given: options.embedder,
  });
}

interface ModelChoice {
  readonly config: () => Promise<Config>;
  readonly environment: PathEnvironment;
}

async function languageModelOf(
  { languageModel }: OpenMemoryOptions,
  { config, environment }: ModelChoice,
): Promise<LanguageModel | undefined> {
  if (languageModel !== undefined) return languageModel ?? undefined;
  const { chooseLanguageModel } = await import("./models/choose-models.ts");
  return chooseLanguageModel(await config(), environment.variables);
}
