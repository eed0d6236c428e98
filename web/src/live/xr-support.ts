/** Whether this browser can record, and if not, why. */

import { type Signal, signal } from "@preact/signals";

export type XrMode = "immersive-ar" | "immersive-vr";

/** Passthrough first: who sees the room and the things in it moves as always. */
const MODES_BY_PREFERENCE: readonly XrMode[] = ["immersive-ar", "immersive-vr"];

export type XrSupport =
  | { readonly mode: XrMode }
  /** In words: what is missing, and what to do about it. */
  | { readonly mode: null; readonly reason: string };

const SUPPORT_PENDING: XrSupport = { mode: null, reason: "The browser has not said yet whether there is a headset." };

/** Follows headsets that come and go. */
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
    return { mode: null, reason: "WebXR needs https: start holotape view --lan, and open the address that it prints." };
  }
  if (xr === undefined) {
    return {
      mode: null,
      reason:
        "This browser has no WebXR. Start holotape view --lan, and open the address that it prints in the headset's browser.",
    };
  }
  for (const mode of MODES_BY_PREFERENCE) {
    if (await xr.isSessionSupported(mode).catch(() => false)) {
      return { mode };
    }
  }
  return {
    mode: null,
    reason:
      "No headset is connected. Start holotape view --lan, and open the address that it prints in the headset's browser.",
  };
}

/** Has to be asked for while somebody presses something. */
export async function startSession(mode: XrMode): Promise<XRSession> {
  const { xr } = navigator;
  if (xr === undefined) {
    throw new Error("this browser has no WebXR");
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
      return "the headset gives no hands: turn on hand tracking in its settings, put the controllers down, and try again";
    case "NotAllowedError":
    case "SecurityError":
      return "the browser does not allow it: allow this page to use hand tracking, and try again";
    case "InvalidStateError":
      return "the headset is in use by another page: close that first";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
