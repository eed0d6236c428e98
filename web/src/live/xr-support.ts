/** Detects whether this browser can record. */

import { type Signal, signal } from "@preact/signals";

export type XrMode = "immersive-ar" | "immersive-vr";

/** Passthrough first: users move naturally if they see the room. */
const MODES_BY_PREFERENCE: readonly XrMode[] = ["immersive-ar", "immersive-vr"];

export type XrSupport =
  | { readonly mode: XrMode }
  /** What is missing, and what to do about it. */
  | { readonly mode: null; readonly reason: string };

const SUPPORT_PENDING: XrSupport = { mode: null, reason: "Looking for a headset." };

/** Updates when headsets connect and disconnect. */
export function followSupport(): Signal<XrSupport> {
  const support = signal<XrSupport>(SUPPORT_PENDING);
  const update = async () => {
    support.value = await detectSupport();
  };
  navigator.xr?.addEventListener("devicechange", update);
  void update();
  return support;
}

async function detectSupport(): Promise<XrSupport> {
  const { xr } = navigator;
  if (!window.isSecureContext) {
    return { mode: null, reason: "WebXR needs https. Start holotape view --lan and open the address it prints." };
  }
  if (xr === undefined) {
    return {
      mode: null,
      reason:
        "This browser does not support WebXR. Start holotape view --lan and open the address it prints in the headset's browser.",
    };
  }
  for (const mode of MODES_BY_PREFERENCE) {
    if (await xr.isSessionSupported(mode).catch(() => false)) {
      return { mode };
    }
  }
  return {
    mode: null,
    reason: "No headset connected. Start holotape view --lan and open the address it prints in the headset's browser.",
  };
}

/** Must be called from a user gesture. */
export async function startSession(mode: XrMode): Promise<XRSession> {
  const { xr } = navigator;
  if (xr === undefined) {
    throw new Error("this browser does not support WebXR");
  }
  const optionalFeatures = ["local-floor", "gaze-tracking", "eye-tracking"];
  try {
    return await xr.requestSession(mode, { requiredFeatures: ["hand-tracking"], optionalFeatures });
  } catch (error) {
    throw new Error(sessionErrorMessage(error));
  }
}

function sessionErrorMessage(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  switch (name) {
    case "NotSupportedError":
      return "hand tracking is not available; turn it on in the headset's settings and put the controllers down";
    case "NotAllowedError":
    case "SecurityError":
      return "permission denied; allow this page to use hand tracking";
    case "InvalidStateError":
      return "another page uses the headset; close it first";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
