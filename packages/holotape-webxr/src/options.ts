/** Validates the options and fills in the defaults, before anything is installed in a page. */

import type { DeviceName, InstallOptions, RecordingOrigin } from "./types";

export const DEVICES: readonly DeviceName[] = ["oculusQuest1", "metaQuest2", "metaQuest3", "metaQuestPro"];

export type ResolvedOptions = Required<InstallOptions> & { readonly origin: Required<RecordingOrigin> };

export function resolveOptions(options: InstallOptions): ResolvedOptions {
  const { device = "metaQuest3", rate = 72, autoplay = false, forceInstall = true, stereo = false } = options;
  if (!DEVICES.includes(device)) {
    throw new RangeError(`unknown device: ${JSON.stringify(device)}; use one of ${DEVICES.join(", ")}`);
  }
  if (!(rate > 0 && Number.isFinite(rate))) {
    throw new RangeError(`invalid rate: ${rate} Hz; must be finite and greater than 0`);
  }
  const { x = 0, z = 0, yawDeg = 0, floor = "auto" } = options.origin ?? {};
  for (const [name, value] of Object.entries({ x, z, yawDeg, floor })) {
    if (!Number.isFinite(value) && value !== "auto") {
      throw new RangeError(
        `invalid origin.${name}: ${value}; must be a finite number${name === "floor" ? ' or "auto"' : ""}`,
      );
    }
  }
  return { device, rate, autoplay, forceInstall, stereo, origin: { x, z, yawDeg, floor } };
}
