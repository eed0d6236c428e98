/** Whether a file has what a headset gave, frame by frame: asked of the program. */

import { readFileSync } from "node:fs";
import type { Given, XrPose } from "./headset";
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

const FARTHEST_METRES = 0.002;
const FARTHEST_DEGREES = 1;
/** Keys have times of 32 bits. */
const SAME_TIME_SECS = 1e-5;

/** Whether a take has all frames, at their times, with what was given. */
export function expectSamePath(taken: readonly Given[], file: string): void {
  const times = timesOf(file);
  expect(times.length).toBe(taken.length);
  const wanted = taken.map(({ timeMs }) => (timeMs - (taken[0]?.timeMs ?? 0)) / 1000);
  const late = times.filter((time, n) => !(Math.abs(time - (wanted[n] ?? Number.NaN)) < SAME_TIME_SECS));
  expect(late).toEqual([]);
  const frames = sample<Printed>(file, "--at", times.join());
  const faults = taken.flatMap((given, n) => faultsOf(given, frames[n] as Printed));
  expect(faults).toEqual([]);
  expectPinches(taken, frames);
}

/** In words, so that a failure says all of it. */
function faultsOf(given: Given, frame: Printed): string[] {
  const faults = apart("head", given.head, frame.camera);
  for (const hand of ["left", "right"] as const) {
    const [wanted, found] = [given[hand], frame[hand]];
    if ((wanted !== null) !== found?.tracked) {
      faults.push(`${hand} hand at ${frame.time} s: tracked is ${found?.tracked}`);
    } else if (wanted !== null) {
      faults.push(...apart(`${hand} wrist`, wanted.wrist, found?.joints?.Wrist));
      faults.push(...apart(`${hand} index`, wanted.indexTip, found?.joints?.IndexTip));
    }
  }
  return faults.map((fault) => `${fault} at ${frame.time} s`);
}

/** What was given in WebXR's space, what was found in Unity's. */
function apart(what: string, [x, y, z, qx, qy, qz, qw]: XrPose, found: PrintedPose | undefined): string[] {
  if (found === undefined) {
    return [`${what} is missing`];
  }
  const metres = distance([x, y, -z], found.position);
  const dot = [-qx, -qy, qz, qw].reduce((sum, value, n) => sum + value * (found.rotation[n] ?? 0), 0);
  const degrees = (2 * Math.acos(Math.min(Math.abs(dot), 1)) * 180) / Math.PI;
  const isSame = metres < FARTHEST_METRES && degrees < FARTHEST_DEGREES;
  return isSame ? [] : [`${what} is off by ${metres} m and ${degrees} degrees`];
}

/** Pinches begin and end with the frame in which they were given, or with the one beside it. */
function expectPinches(taken: readonly Given[], frames: readonly Printed[]): void {
  for (const hand of ["left", "right"] as const) {
    const wanted = taken.map((given) => given[hand]?.isPinching ?? false);
    const isOff = (frame: Printed, n: number) => {
      const near = [wanted[n - 1], wanted[n], wanted[n + 1]];
      return !near.includes(frame[hand]?.pinching ?? false);
    };
    expect(frames.filter(isOff).map(({ time }) => time)).toEqual([]);
  }
}

/** The times of all frames of a file. */
export function timesOf(file: string): number[] {
  const document = `${file}.json`;
  holotape("convert", file, document, "--force");
  const { curves } = JSON.parse(readFileSync(document, "utf8"));
  // What has 32 bits is printed in as few digits as tell it from others: asked for with those, it may not have come yet.
  return curves["camera.position.x"].keys.map(([time]: [number]) => Math.fround(time));
}

export function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, n) => value - (b[n] ?? Number.NaN)));
}
