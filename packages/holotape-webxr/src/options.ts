/** What people ask for, with what they did not say filled in. Looked at before anything is put into a page. */

import type { DeviceName, InstallOptions, RecordingOrigin } from "./types";

export const DEVICES: readonly DeviceName[] = ["oculusQuest1", "metaQuest2", "metaQuest3", "metaQuestPro"];
const DEFAULT_RATE_HZ = 72;

export type ResolvedOptions = Required<InstallOptions> & { readonly origin: Required<RecordingOrigin> };

export function resolveOptions(options: InstallOptions): ResolvedOptions {
  const {
    device = "metaQuest3",
    rate = DEFAULT_RATE_HZ,
    autoplay = false,
    forceInstall = true,
    stereo = false,
  } = options;
  if (!DEVICES.includes(device)) {
    throw new RangeError(`no device is called ${JSON.stringify(device)}; there are ${DEVICES.join(", ")}`);
  }
  if (!(rate > 0 && Number.isFinite(rate))) {
    throw new RangeError(`a rate of ${rate}: it has to be a number of frames a second above 0`);
  }
  const { x = 0, z = 0, yawDegrees = 0, floor = "auto" } = options.origin ?? {};
  for (const [name, value] of Object.entries({ x, z, yawDegrees, floor })) {
    if (!Number.isFinite(value) && value !== "auto") {
      throw new RangeError(`origin.${name} is ${value}: it has to be a number${name === "floor" ? ', or "auto"' : ""}`);
    }
  }
  return { device, rate, autoplay, forceInstall, stereo, origin: { x, z, yawDegrees, floor } };
}
