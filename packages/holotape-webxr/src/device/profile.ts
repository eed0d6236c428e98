/** The profile of the emulated headset. */

import { isGazeTrackingFeature, metaQuest2, metaQuest3, metaQuestPro, oculusQuest1, type XRDevice } from "iwer";
import type { DeviceName } from "../types";

type Profile = ConstructorParameters<typeof XRDevice>[0];

const PROFILES: Readonly<Record<DeviceName, Profile>> = { oculusQuest1, metaQuest2, metaQuest3, metaQuestPro };

/** Runs at the rate of the recording, which the page cannot change. Supports eye tracking if the recording has gaze. */
export function profileOf(name: DeviceName, rateHz: number, hasGaze: boolean): Profile {
  const profile = PROFILES[name];
  const features = profile.supportedFeatures.filter((feature) => !isGazeTrackingFeature(feature));
  return {
    ...profile,
    supportedFeatures: hasGaze ? [...features, "gaze-tracking", "eye-tracking"] : features,
    supportedFrameRates: [rateHz],
    internalNominalFrameRate: rateHz,
  };
}
