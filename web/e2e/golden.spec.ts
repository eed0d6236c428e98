/** The page evaluates curves itself: what it finds is what `holotape sample` prints, for every file of `testdata/valid`. */

import { readdirSync } from "node:fs";
import path from "node:path";
import type { ViewerState } from "../src/api";
import { decodeCurvePack } from "../src/recording/decode";
import { HANDS, JOINTS } from "../src/recording/joints";
import { type Frame, type HandFrame, type Pose, Sampler } from "../src/recording/sampler";
import { expect, holotape, ROOT, sample, test } from "./holotape";

const VALID = path.join(ROOT, "testdata/valid");
const FILES = readdirSync(VALID).filter((name) => name.endsWith(".bin"));

/** As the program prints it: what is absent is left out, joints have names. */
interface Printed extends Omit<Frame, "left" | "right"> {
  readonly left?: PrintedHand;
  readonly right?: PrintedHand;
}

interface PrintedHand extends Omit<HandFrame, "joints"> {
  readonly joints?: Readonly<Record<string, Pose>>;
}

test("sampled frames match holotape sample", async ({ folder, view }) => {
  const demo = path.join(folder, "demo.bin");
  holotape("demo", demo, "--seconds", "3");
  const files = [...FILES.map((name) => path.join(VALID, name)), demo];
  const { address } = await view(...files);
  const session = (await (await fetch(`${address}api/session`)).json()) as ViewerState;
  expect(session.takes.map((take) => take.name)).toEqual(files.map((file) => path.basename(file)));
  for (const [n, take] of session.takes.entries()) {
    const answer = await fetch(`${address}api/takes/${take.id}/tape?revision=${take.tapeRevision}`);
    const sampler = new Sampler(decodeCurvePack(new Uint8Array(await answer.arrayBuffer())));
    for (const printed of sample<Printed>(files[n] as string, "--rate", "37")) {
      expectSame(sampler.frameAt(printed.time), printed, `${take.name} at ${printed.time} s`);
    }
  }
});

function expectSame(frame: Frame, printed: Printed, what: string): void {
  expectNear(frame.camera?.position, printed.camera?.position, `${what}: camera`);
  expectNear(frame.camera?.rotation, printed.camera?.rotation, `${what}: camera`);
  expectNear(frame.gaze?.origin, printed.gaze?.origin, `${what}: gaze`);
  expectNear(frame.gaze?.direction, printed.gaze?.direction, `${what}: gaze`);
  for (const hand of HANDS) {
    const [found, wanted] = [frame[hand], printed[hand]];
    expect([found?.tracked, found?.pinching], `${what}: ${hand}`).toEqual([wanted?.tracked, wanted?.pinching]);
    for (const [n, joint] of JOINTS.entries()) {
      expectNear(found?.joints[n]?.position, wanted?.joints?.[joint]?.position, `${what}: ${hand}.${joint}`);
      expectNear(found?.joints[n]?.rotation, wanted?.joints?.[joint]?.rotation, `${what}: ${hand}.${joint}`);
    }
  }
}

function expectNear(found: readonly number[] | undefined, wanted: readonly number[] | undefined, what: string): void {
  const isNear =
    found?.length === wanted?.length &&
    (found ?? []).every((value, n) => {
      const other = wanted?.[n] ?? Number.NaN;
      return Math.abs(value - other) <= 1e-6 * Math.max(1, Math.abs(other));
    });
  if (!isNear) {
    expect(found, what).toEqual(wanted);
  }
}
