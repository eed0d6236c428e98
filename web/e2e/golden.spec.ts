/** The page samples curves like `holotape sample`, for every file of `testdata/valid`. */

import { readdirSync } from "node:fs";
import path from "node:path";
import { decodeCurvePack } from "../src/recording/decode";
import { HANDS, JOINTS } from "../src/recording/joints";
import { type Frame, type HandFrame, type Pose, Sampler } from "../src/recording/sampler";
import { validate } from "../src/validate";
import { expect, holotape, ROOT, sample, test, urlOf } from "./holotape";

const VALID = path.join(ROOT, "testdata/valid");
const FILES = readdirSync(VALID).filter((name) => name.endsWith(".bin"));

/** The output of `holotape sample`: missing values are omitted, joints have names. */
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
  const state = validate("ViewerState", await (await fetch(urlOf(address, "/api/state"))).json());
  expect(state.recordings.map((recording) => recording.name)).toEqual(files.map((file) => path.basename(file)));
  for (const [n, recording] of state.recordings.entries()) {
    const curves = `/api/recordings/${recording.id}/curves?revision=${recording.curves_revision}`;
    const response = await fetch(urlOf(address, curves));
    const sampler = new Sampler(await decodeCurvePack(response.body as ReadableStream<Uint8Array<ArrayBuffer>>));
    for (const printed of sample<Printed>(files[n] as string, "--rate", "37")) {
      expectSame(sampler.frameAt(printed.time), printed, `${recording.name} at ${printed.time} s`);
    }
  }
});

function expectSame(frame: Frame, printed: Printed, subject: string): void {
  expectNear(frame.camera?.position, printed.camera?.position, `${subject}: camera`);
  expectNear(frame.camera?.rotation, printed.camera?.rotation, `${subject}: camera`);
  expectNear(frame.gaze?.origin, printed.gaze?.origin, `${subject}: gaze`);
  expectNear(frame.gaze?.direction, printed.gaze?.direction, `${subject}: gaze`);
  for (const hand of HANDS) {
    const [found, expected] = [frame[hand], printed[hand]];
    expect([found?.tracked, found?.pinching], `${subject}: ${hand}`).toEqual([expected?.tracked, expected?.pinching]);
    for (const [n, joint] of JOINTS.entries()) {
      expectNear(found?.joints[n]?.position, expected?.joints?.[joint]?.position, `${subject}: ${hand}.${joint}`);
      expectNear(found?.joints[n]?.rotation, expected?.joints?.[joint]?.rotation, `${subject}: ${hand}.${joint}`);
    }
  }
}

function expectNear(
  found: readonly number[] | undefined,
  expected: readonly number[] | undefined,
  subject: string,
): void {
  const isNear =
    found?.length === expected?.length &&
    (found ?? []).every((value, n) => {
      const other = expected?.[n] ?? Number.NaN;
      return Math.abs(value - other) <= 1e-6 * Math.max(1, Math.abs(other));
    });
  if (!isNear) {
    expect(found, subject).toEqual(expected);
  }
}
