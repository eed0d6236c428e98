/** Compares a recorded file with the frames of the emulated headset. */

import { readFileSync } from "node:fs";
import type { RecordedFrame, XrPose } from "./headset";
import { expect, holotape, sample } from "./holotape";

interface PrintedPose {
  readonly position: readonly number[];
  readonly rotation: readonly number[];
}

interface PrintedHand {
  readonly tracked: boolean;
  readonly pinching: boolean;
  readonly joints?: Readonly<Record<string, PrintedPose>>;
}

interface Printed {
  readonly time: number;
  readonly camera?: PrintedPose;
  readonly left?: PrintedHand;
  readonly right?: PrintedHand;
}

const MAX_DISTANCE_METRES = 0.002;
const MAX_ROTATION_DEGREES = 1;
/** Key times have 32 bits. */
const TIME_TOLERANCE_SECS = 1e-5;

/** Expects a file to contain all frames with their times and poses. */
export function expectSameMotion(recorded: readonly RecordedFrame[], file: string): void {
  const times = timesOf(file);
  expect(times.length).toBe(recorded.length);
  const expectedTimes = recorded.map(({ timeMs }) => (timeMs - (recorded[0]?.timeMs ?? 0)) / 1000);
  const missing = times.filter((time, n) => !(Math.abs(time - (expectedTimes[n] ?? Number.NaN)) < TIME_TOLERANCE_SECS));
  expect(missing).toEqual([]);
  const frames = sample<Printed>(file, "--at", times.join());
  const mismatches = recorded.flatMap((expected, n) => mismatchesOf(expected, frames[n] as Printed));
  expect(mismatches).toEqual([]);
  expectPinches(recorded, frames);
}

/** Returns messages, so that a failure lists all differences. */
function mismatchesOf(expected: RecordedFrame, frame: Printed): string[] {
  const mismatches = difference("head", expected.head, frame.camera);
  for (const hand of ["left", "right"] as const) {
    const [expectedHand, found] = [expected[hand], frame[hand]];
    if ((expectedHand !== null) !== found?.tracked) {
      mismatches.push(`${hand} hand at ${frame.time} s: tracked is ${found?.tracked}`);
    } else if (expectedHand !== null) {
      mismatches.push(...difference(`${hand} wrist`, expectedHand.wrist, found?.joints?.Wrist));
      mismatches.push(...difference(`${hand} index`, expectedHand.indexTip, found?.joints?.IndexTip));
    }
  }
  return mismatches.map((mismatch) => `${mismatch} at ${frame.time} s`);
}

/** Compares a pose in WebXR's coordinates with one in Unity's. */
function difference(subject: string, [x, y, z, qx, qy, qz, qw]: XrPose, found: PrintedPose | undefined): string[] {
  if (found === undefined) {
    return [`${subject} is missing`];
  }
  const metres = distance([x, y, -z], found.position);
  const dot = [-qx, -qy, qz, qw].reduce((sum, value, n) => sum + value * (found.rotation[n] ?? 0), 0);
  const degrees = (2 * Math.acos(Math.min(Math.abs(dot), 1)) * 180) / Math.PI;
  const isSame = metres < MAX_DISTANCE_METRES && degrees < MAX_ROTATION_DEGREES;
  return isSame ? [] : [`${subject} is off by ${metres} m and ${degrees} degrees`];
}

/** Expects pinches to start and end within one frame of the headset's. */
function expectPinches(recorded: readonly RecordedFrame[], frames: readonly Printed[]): void {
  for (const hand of ["left", "right"] as const) {
    const expectedFlags = recorded.map((expected) => expected[hand]?.isPinching ?? false);
    const isMisplaced = (frame: Printed, n: number) => {
      const nearest = [expectedFlags[n - 1], expectedFlags[n], expectedFlags[n + 1]];
      return !nearest.includes(frame[hand]?.pinching ?? false);
    };
    expect(frames.filter(isMisplaced).map(({ time }) => time)).toEqual([]);
  }
}

export function timesOf(file: string): number[] {
  const document = `${file}.json`;
  holotape("convert", file, document, "--force");
  const { curves } = JSON.parse(readFileSync(document, "utf8"));
  // JSON has the shortest decimals of 32-bit times, which can be slightly before the key.
  return curves["camera.position.x"].keys.map(([time]: [number]) => Math.fround(time));
}

export function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, n) => value - (b[n] ?? Number.NaN)));
}
