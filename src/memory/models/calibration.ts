/** Which calibration is in force for a model, and making one. */
import { ArcticMemError } from "../../core/errors.ts";
import type { Calibration, CalibrationReport } from "../../core/findings/calibration.ts";
import type { CalibrateOptions } from "../../core/memory.ts";
import type { RetrievalSettings } from "../../retrieve/settings.ts";
import type { Workbench } from "../workbench.ts";

const keyOf = (fingerprint: string): string => `calibration:${fingerprint}`;

/** What was measured here for this model, if anything was. */
async function storedCalibration(bench: Workbench, fingerprint: string): Promise<Calibration | undefined> {
  const text = await (await bench.store()).settings.get(keyOf(fingerprint));
  return text === undefined ? undefined : (JSON.parse(text) as Calibration);
}

/** What was measured here, or comes with the package; undefined for a model that nobody has measured. */
export async function calibrationOf(bench: Workbench, fingerprint: string): Promise<Calibration | undefined> {
  const stored = await storedCalibration(bench, fingerprint);
  if (stored !== undefined) return stored;
  const { BUILTIN_CALIBRATION } = await import("../../retrieve/calibrate/builtin-calibration.ts");
  return BUILTIN_CALIBRATION.fingerprint === fingerprint ? BUILTIN_CALIBRATION : undefined;
}

/**
 * Settings of search and session start where somebody wants others measured, or the model was measured here: they replace
 * what is known of models in general. Undefined otherwise.
 */
export async function measuredSettings(
  bench: Workbench,
  fingerprint: string | undefined,
): Promise<RetrievalSettings | undefined> {
  const asked = bench.retrieval();
  if (asked !== undefined) return asked;
  const stored = fingerprint === undefined ? undefined : await storedCalibration(bench, fingerprint);
  if (stored === undefined) return undefined;
  const { settingsFor } = await import("../../retrieve/settings.ts");
  const settings = settingsFor(fingerprint);
  const { shownByTrigger, shownByBody } = stored.cosines;
  return { ...settings, thresholds: { ...settings.thresholds, trigger: shownByTrigger, body: shownByBody } };
}

/** @throws {ArcticMemError} `INPUT_INVALID` where there is no model; what the model throws. */
export async function calibrate(bench: Workbench, options: CalibrateOptions = {}): Promise<CalibrationReport> {
  const embedder = await bench.embedder();
  if (embedder === undefined) {
    throw new ArcticMemError("INPUT_INVALID", "There is no embedding model to calibrate.", {
      hint: "`arcticmem model use minilm` sets the built-in one up.",
    });
  }
  const [{ calibrateEmbedder }, { readPairs, PAIRS_FOLDER }, { settingsFor }, { BUILTIN_CALIBRATION }] =
    await Promise.all([
      import("../../retrieve/calibrate/calibrate-embedder.ts"),
      import("../../retrieve/calibrate/pairs.ts"),
      import("../../retrieve/settings.ts"),
      import("../../retrieve/calibrate/builtin-calibration.ts"),
    ]);
  const { centring } = settingsFor(embedder.fingerprint);
  const measured = await calibrateEmbedder(embedder, await readPairs(options.pairs ?? PAIRS_FOLDER), {
    centring,
    onProgress: (done, total) => options.onProgress?.("measuring", done, total),
    signal: options.signal,
  });
  const saved = options.force === true || embedder.fingerprint !== BUILTIN_CALIBRATION.fingerprint;
  if (saved) {
    await (await bench.store()).settings.set(keyOf(embedder.fingerprint), JSON.stringify(measured.calibration));
  }
  return { ...measured, saved };
}
