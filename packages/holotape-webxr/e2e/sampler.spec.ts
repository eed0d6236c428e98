/** Reader and sampler together: frames of every file of `testdata/valid` match `holotape sample`. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { HANDS, JOINTS } from "../../../web/src/recording/joints";
import { type Frame, Sampler } from "../../../web/src/recording/sampler";
import { readRecording } from "../src/read";
import { type PrintedFrame, ROOT, sample } from "./holotape";

const VALID = path.join(ROOT, "testdata/valid");

test("frames match holotape sample", () => {
  const files = readdirSync(VALID).filter((name) => name.endsWith(".bin"));
  expect(files.length).toBeGreaterThan(18);
  for (const name of files) {
    const file = path.join(VALID, name);
    const sampler = new Sampler(readRecording(readFileSync(file)).curves);
    const faults = sample(file, "--rate", "37").flatMap((printed) => faultsOf(sampler.frameAt(printed.time), printed));
    expect(faults, name).toEqual([]);
  }
});

function faultsOf(frame: Frame, printed: PrintedFrame): string[] {
  const pairs: [string, readonly number[] | undefined, readonly number[] | undefined][] = [
    ["head", frame.camera?.position, printed.camera?.position],
    ["head", frame.camera?.rotation, printed.camera?.rotation],
    ["eyes", frame.gaze?.origin, printed.gaze?.origin],
    ["eyes", frame.gaze?.direction, printed.gaze?.direction],
  ];
  for (const hand of HANDS) {
    const [found, expected] = [frame[hand], printed[hand]];
    pairs.push([hand, flags(found), flags(expected)]);
    for (const [n, joint] of JOINTS.entries()) {
      pairs.push([`${hand} ${joint}`, found?.joints[n]?.position, expected?.joints?.[joint]?.position]);
      pairs.push([`${hand} ${joint}`, found?.joints[n]?.rotation, expected?.joints?.[joint]?.rotation]);
    }
  }
  const wrong = pairs.filter(([, found, expected]) => !isNear(found, expected));
  return wrong.map(([subject, found, expected]) => `${subject} at ${printed.time} s: ${found} instead of ${expected}`);
}

function flags(hand: { readonly tracked: boolean; readonly pinching: boolean } | null | undefined): number[] {
  return hand ? [Number(hand.tracked), Number(hand.pinching)] : [];
}

function isNear(found: readonly number[] | undefined, expected: readonly number[] | undefined): boolean {
  return (
    found?.length === expected?.length &&
    (found ?? []).every((value, n) => {
      const other = expected?.[n] ?? Number.NaN;
      return Math.abs(value - other) <= 1e-6 * Math.max(1, Math.abs(other));
    })
  );
}
