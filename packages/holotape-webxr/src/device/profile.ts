/** Which headset the page sees. */

import { isGazeTrackingFeature, metaQuest2, metaQuest3, metaQuestPro, oculusQuest1, type XRDevice } from "iwer";
import type { DeviceName } from "../types";

type Profile = ConstructorParameters<typeof XRDevice>[0];

const PROFILES: Readonly<Record<DeviceName, Profile>> = { oculusQuest1, metaQuest2, metaQuest3, metaQuestPro };

/** It runs at the rate of the recording, which the page cannot change, and has an eye tracker if the recording has eyes. */
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
