/** The recording of the example: a right index finger presses a button, then the hand pinches. Generated with the program. */

import path from "node:path";
import { holotape, type Pose, type PrintedFrame, type PrintedHand, sample } from "../e2e/holotape";

const FRAME_SECS = 1 / 60;
const FRAMES = 121;
/** Unity's coordinates in metres: where the finger starts, and how far it goes into the button. */
const FROM = [0.03, 1.1, 0.25] as const;
const TO = [0, 1.15, 0.445] as const;

/** Writes `press.bin` into a folder. Returns its path. */
export function recordPress(folder: string): string {
  const hand = pointingHand(folder);
  const frames = Array.from({ length: FRAMES }, (_, n) => JSON.stringify(frameAt(n * FRAME_SECS, hand)));
  const marker = JSON.stringify({ time: 1, marker: "deepest" });
  const file = path.join(folder, "press.bin");
  holotape(["record", file, "--no-gaze-fallback", "--force"], `${[...frames, marker].join("\n")}\n`);
  return file;
}

/** Tracked from 0.2 s to 1.8 s, deepest at 1 s, pinching from 1.4 s to 1.6 s. */
function frameAt(time: number, hand: Readonly<Record<string, Pose>>): PrintedFrame {
  const isThere = time > 0.2 && time < 1.8;
  const share = Math.max(0, 1 - Math.abs(time - 1) / 0.5);
  const tip = FROM.map((value, axis) => value + share * ((TO[axis] as number) - value));
  const right: PrintedHand = {
    tracked: isThere,
    pinching: time > 1.4 && time < 1.6,
    ...(isThere && { joints: moved(hand, tip) }),
  };
  return { time, camera: { position: [0, 1.6, 0], rotation: [0, 0, 0, 1] }, right };
}

/** A hand of the program's synthetic motion. */
function pointingHand(folder: string): Readonly<Record<string, Pose>> {
  const demo = path.join(folder, "demo.bin");
  holotape(["demo", demo, "--seconds", "1", "--no-page", "--force"]);
  const [frame] = sample(demo, "--at", "0.5");
  if (frame?.right?.joints === undefined) {
    throw new Error("the demo has no right hand at 0.5 s");
  }
  return frame.right.joints;
}

/** The same hand with its index tip at another position. */
function moved(hand: Readonly<Record<string, Pose>>, tip: readonly number[]): Readonly<Record<string, Pose>> {
  const from = hand.IndexTip?.position ?? [0, 0, 0];
  const [x, y, z] = tip.map((value, axis) => value - (from[axis] as number)) as [number, number, number];
  const move = ({ position, rotation }: Pose): Pose => ({
    position: [position[0] + x, position[1] + y, position[2] + z],
    rotation,
  });
  return Object.fromEntries(Object.entries(hand).map(([joint, pose]) => [joint, move(pose)]));
}
