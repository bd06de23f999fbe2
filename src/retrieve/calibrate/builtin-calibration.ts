/** What the cosines of the built-in model mean. Written by `npm run calibrate:builtin` from the pairs in the assets. */
import type { Calibration } from "../../core/findings/calibration.ts";

export const BUILTIN_CALIBRATION: Calibration = {
  fingerprint: "all-MiniLM-L6-v2@int8-c274b2345bb2",
  pairs: "ce71f282d91f0f3b",
  cosines: {
    duplicate: 0.896,
    covered: 0.613,
    contradicted: 0.563,
    cluster: 0.93,
    situation: 0.239,
    generic: 0.746,
    shownByTrigger: 0.385,
    shownByBody: 0.339,
  },
};
