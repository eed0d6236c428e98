/** An emulated headset (IWER) for Chromium, whose motion is recorded frame by frame. */

import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import type { XRDevice } from "iwer";
import { preparePage } from "./holotape";

const IWER = path.join(fileURLToPath(new URL("..", import.meta.url)), "node_modules/iwer/build/iwer.min.js");

/** A pose in WebXR's coordinates: position x, y, z, rotation x, y, z, w. */
export type XrPose = readonly [number, number, number, number, number, number, number];

/** The poses that the headset delivered in one frame. */
export interface RecordedFrame {
  readonly timeMs: number;
  readonly head: XrPose;
  readonly left: { readonly wrist: XrPose; readonly indexTip: XrPose; readonly isPinching: boolean } | null;
  readonly right: { readonly wrist: XrPose; readonly indexTip: XrPose; readonly isPinching: boolean } | null;
}

/** The state of the emulated headset in the page. */
export interface TestHeadset {
  readonly device: XRDevice;
  /** All frames of the XR session. */
  readonly frames: RecordedFrame[];
  /** The numbers of the frames in which the right hand pinches. */
  pinches: readonly (readonly [from: number, to: number])[];
  /** Whether head and hands are animated. */
  isMoving: boolean;
  session: XRSession | null;
}

declare global {
  interface Window {
    headset: TestHeadset;
  }
}

/** Installs the headset. Call it before the page is opened. */
export async function installHeadset(page: Page): Promise<void> {
  await preparePage(page);
  await page.addInitScript({ path: IWER });
  await page.addInitScript(install);
}

/** Opens the viewer and waits until it is ready. Unlike `open`, allows errors about lost connections. */
export async function openWithHeadset(page: Page, address: string): Promise<void> {
  await installHeadset(page);
  await page.goto(address);
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
}

/** Starts a take. */
export async function record(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Record with the headset" }).click();
  await page.waitForFunction(() => window.headset.frames.length > 2);
}

export function frames(page: Page): Promise<RecordedFrame[]> {
  return page.evaluate(() => window.headset.frames);
}

/** Waits until the XR session has lasted for a time. */
export async function waitForSecs(page: Page, secs: number): Promise<void> {
  await page.waitForFunction((secs) => {
    const { frames } = window.headset;
    return ((frames.at(-1)?.timeMs ?? 0) - (frames[0]?.timeMs ?? 0)) / 1000 >= secs;
  }, secs);
}

/** Waits until the XR session has a number of frames. */
export async function waitForFrames(page: Page, count: number): Promise<void> {
  await page.waitForFunction((count) => window.headset.frames.length >= count, count);
}

/** Waits for frames that start after the call. */
export async function waitForMoreFrames(page: Page): Promise<void> {
  await waitForFrames(page, (await frames(page)).length + 3);
}

/** Waits until the server has acknowledged more than `count` frames. */
export async function waitForServerFrames(page: Page, count: number): Promise<void> {
  await page.waitForFunction((count) => {
    const { frames = 0, unacknowledged = 0 } = window.holotape.recorder?.status.value ?? {};
    return frames - unacknowledged > count;
  }, count);
}

/** Waits for a frame. Returns its time in seconds of the browser's clock. */
export async function nextFrame(page: Page): Promise<number> {
  const { length } = await frames(page);
  await page.waitForFunction((length) => window.headset.frames.length > length, length);
  return ((await frames(page)).at(-1)?.timeMs ?? 0) / 1000;
}

function install(): void {
  const { IWER } = window as unknown as { IWER: typeof import("iwer") };
  const device = new IWER.XRDevice(IWER.metaQuest3, { stereoEnabled: false });
  device.installRuntime({ forceInstall: true });
  device.primaryInputMode = "hand";
  device.canvasContainer.style.cssText +=
    "; inset: auto 8px 8px auto; width: 320px; height: 240px; pointer-events: none";
  const headset: TestHeadset = { device, frames: [], pinches: [], isMoving: true, session: null };
  window.headset = headset;

  const setPose = (target: { position: XRDevice["position"]; quaternion: XRDevice["quaternion"] }, pose: XrPose) => {
    target.position.set(pose[0], pose[1], pose[2]);
    target.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
  };
  const about = (axis: readonly [number, number, number], radians: number) => {
    const length = Math.hypot(...axis);
    const s = Math.sin(radians / 2) / length;
    return [s * axis[0], s * axis[1], s * axis[2], Math.cos(radians / 2)] as const;
  };
  const move = (t: number) => {
    const { left, right } = device.hands;
    if (headset.isMoving && left !== undefined && right !== undefined) {
      const head = about([0.2, 1, 0.1], 0.4 * Math.sin(0.9 * t));
      setPose(device, [0.05 * Math.sin(t), 1.6 + 0.03 * Math.sin(2 * t), 0.1 * Math.cos(0.7 * t), ...head]);
      const rotation = about([1, 0.4, -0.3], 0.7 * Math.sin(1.3 * t));
      // The ray of the right hand points away from the panel, whose buttons pinches would press.
      const [x, y, z, w] = about([0.3, -1, 0.5], 0.9 * Math.sin(1.1 * t + 1));
      const away = [-z, w, x, -y] as const;
      setPose(left, [-0.22 + 0.12 * Math.sin(1.7 * t), 1.35 + 0.1 * Math.cos(1.7 * t), -0.4, ...rotation]);
      setPose(right, [0.22 + 0.1 * Math.cos(2.1 * t), 1.3, -0.42 + 0.1 * Math.sin(2.1 * t), ...away]);
    }
    const { length: frame } = headset.frames;
    right?.updatePinchValue(headset.pinches.some(([from, to]) => frame >= from && frame < to) ? 1 : 0);
  };

  const { xr } = navigator as { xr: XRSystem };
  const requestSession = xr.requestSession.bind(xr);
  xr.requestSession = async (mode: XRSessionMode, options?: XRSessionInit) => {
    const session = await requestSession(mode, options);
    const space = await session.requestReferenceSpace("local-floor");
    headset.session = session;
    headset.frames.length = 0;
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
        headset.frames.push({ timeMs, head: poseOf(head.transform), left, right });
      }
      move((timeMs - (headset.frames[0]?.timeMs ?? timeMs)) / 1000);
    };
    session.requestAnimationFrame(step);
    return session;
  };
}
