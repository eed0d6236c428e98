/** A headset for Chromium: IWER, whose head and hands move on a path that is written down frame by frame. */

import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import type { XRDevice } from "iwer";
import { useFreshPage } from "./holotape";

const IWER = path.join(fileURLToPath(new URL("..", import.meta.url)), "node_modules/iwer/build/iwer.min.js");

/** Where something was, as WebXR says it: position x, y, z, rotation x, y, z, w. */
export type XrPose = readonly [number, number, number, number, number, number, number];

/** What the headset gave the page in one frame. */
export interface Given {
  readonly timeMs: number;
  readonly head: XrPose;
  readonly left: { readonly wrist: XrPose; readonly indexTip: XrPose; readonly isPinching: boolean } | null;
  readonly right: { readonly wrist: XrPose; readonly indexTip: XrPose; readonly isPinching: boolean } | null;
}

/** What is in the page, beside the page. */
export interface Worn {
  readonly device: XRDevice;
  /** All frames since the session began. */
  readonly given: Given[];
  /** When the right hand is to pinch, in seconds since the session began. */
  pinches: readonly (readonly [from: number, to: number])[];
  /** Whether head and hands move by themselves. */
  isMoving: boolean;
  session: XRSession | null;
}

declare global {
  interface Window {
    worn: Worn;
  }
}

/** Puts the headset on, before the page is opened. */
export async function wear(page: Page): Promise<void> {
  await useFreshPage(page);
  await page.addInitScript({ path: IWER });
  await page.addInitScript(install);
}

/** Opens the viewer and waits until it is there. What the browser says about lost connections is what the tests are about. */
export async function openWorn(page: Page, address: string): Promise<void> {
  await wear(page);
  await page.goto(address);
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
}

/** Presses the button. IWER lays the picture of the headset over the page: it is put where the page can be seen and clicked. */
export async function record(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Record with the headset" }).click();
  await page.waitForFunction(() => window.worn.given.length > 2);
}

export function given(page: Page): Promise<Given[]> {
  return page.evaluate(() => window.worn.given);
}

/** Waits until the session has gone on for so long. */
export async function until(page: Page, secs: number): Promise<void> {
  await page.waitForFunction((secs) => {
    const { given } = window.worn;
    return ((given.at(-1)?.timeMs ?? 0) - (given[0]?.timeMs ?? 0)) / 1000 >= secs;
  }, secs);
}

/** Waits until the server has more than so many frames of the take. */
export async function untilServerHas(page: Page, count: number): Promise<void> {
  await page.waitForFunction((count) => {
    const { frames = 0, unacknowledged: kept = 0 } = window.holotape.recorder?.status.value ?? {};
    return frames - kept > count;
  }, count);
}

/** The time of the next frame, in seconds of the browser's clock. */
export async function nextFrame(page: Page): Promise<number> {
  const { length } = await given(page);
  await page.waitForFunction((length) => window.worn.given.length > length, length);
  return ((await given(page)).at(-1)?.timeMs ?? 0) / 1000;
}

/** Runs in the page. */
function install(): void {
  const { IWER } = window as unknown as { IWER: typeof import("iwer") };
  const device = new IWER.XRDevice(IWER.metaQuest3, { stereoEnabled: false });
  device.installRuntime({ forceInstall: true });
  device.primaryInputMode = "hand";
  device.canvasContainer.style.cssText +=
    "; inset: auto 8px 8px auto; width: 320px; height: 240px; pointer-events: none";
  const worn: Worn = { device, given: [], pinches: [], isMoving: true, session: null };
  window.worn = worn;

  const place = (thing: { position: XRDevice["position"]; quaternion: XRDevice["quaternion"] }, pose: XrPose) => {
    thing.position.set(pose[0], pose[1], pose[2]);
    thing.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
  };
  const about = (axis: readonly [number, number, number], radians: number) => {
    const length = Math.hypot(...axis);
    const s = Math.sin(radians / 2) / length;
    return [s * axis[0], s * axis[1], s * axis[2], Math.cos(radians / 2)] as const;
  };
  const move = (t: number) => {
    const { left, right } = device.hands;
    if (worn.isMoving && left !== undefined && right !== undefined) {
      const head = about([0.2, 1, 0.1], 0.4 * Math.sin(0.9 * t));
      place(device, [0.05 * Math.sin(t), 1.6 + 0.03 * Math.sin(2 * t), 0.1 * Math.cos(0.7 * t), ...head]);
      const turn = about([1, 0.4, -0.3], 0.7 * Math.sin(1.3 * t));
      const back = about([0.3, -1, 0.5], 0.9 * Math.sin(1.1 * t + 1));
      place(left, [-0.22 + 0.12 * Math.sin(1.7 * t), 1.35 + 0.1 * Math.cos(1.7 * t), -0.4, ...turn]);
      place(right, [0.22 + 0.1 * Math.cos(2.1 * t), 1.3, -0.42 + 0.1 * Math.sin(2.1 * t), ...back]);
    }
    right?.updatePinchValue(worn.pinches.some(([from, to]) => t >= from && t < to) ? 1 : 0);
  };

  const { xr } = navigator as { xr: XRSystem };
  const requestSession = xr.requestSession.bind(xr);
  xr.requestSession = async (mode: XRSessionMode, options?: XRSessionInit) => {
    const session = await requestSession(mode, options);
    const space = await session.requestReferenceSpace("local-floor");
    worn.session = session;
    worn.given.length = 0;
    const write = (frame: XRFrame, source: XRInputSource | undefined) => {
      const at = (name: XRHandJoint) => {
        const joint = source?.hand?.get(name);
        const pose = joint && frame.getJointPose?.(joint, space);
        return pose ? poseOf(pose.transform) : null;
      };
      const [wrist, indexTip] = [at("wrist"), at("index-finger-tip")];
      const hand = source === undefined || source.handedness === "none" ? undefined : device.hands[source.handedness];
      const isPinching = (hand?.pinchValue ?? 0) > 0.5;
      return wrist === null || indexTip === null ? null : { wrist, indexTip, isPinching };
    };
    const poseOf = ({ position: p, orientation: q }: XRRigidTransform): XrPose => [p.x, p.y, p.z, q.x, q.y, q.z, q.w];
    const step = (timeMs: number, frame: XRFrame) => {
      session.requestAnimationFrame(step);
      const head = frame.getViewerPose(space);
      const hand = (side: XRHandedness) => [...session.inputSources].find((source) => source.handedness === side);
      if (head) {
        const [left, right] = [write(frame, hand("left")), write(frame, hand("right"))];
        worn.given.push({ timeMs, head: poseOf(head.transform), left, right });
      }
      move((timeMs - (worn.given[0]?.timeMs ?? timeMs)) / 1000);
    };
    session.requestAnimationFrame(step);
    return session;
  };
}
