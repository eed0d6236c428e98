/** A page receives the recorded poses: compared with `holotape sample` at the same times. */

import path from "node:path";
import { installRecording } from "holotape-webxr";
import { JOINTS } from "../../../web/src/recording/joints";
import { mrtkJointIndex, WEBXR_JOINTS } from "../../../web/src/recording/webxr";
import { expect, test } from "./fixtures";
import { holotape, type Pose, type PrintedFrame, ROOT, sample } from "./holotape";
import { enter, logOf, type Seen, type SeenFrame } from "./raw";

const METRES = 1e-6;
/** Twice the sine of half an angle, after a conversion to a matrix of 32-bit numbers. */
const ROTATION_TOLERANCE = 1e-6;
const RATE_HZ = 30;
/** Both versions, keys before the start, lost hands, recordings without a head. */
const RECORDINGS = ["demo", "mrtk25_right_hand_markers", "mrtk25_rolling_cutoff", "mrtk28_all", "mrtk28_unpartitioned"];

for (const name of RECORDINGS) {
  test(`head and joints of ${name} match holotape sample`, async ({ page, folder }) => {
    const file = name === "demo" ? path.join(folder, "demo.bin") : path.join(ROOT, "testdata/valid", `${name}.bin`);
    if (name === "demo") {
      holotape(["demo", file, "--seconds", "6", "--no-page"]);
    }
    const replay = await installRecording(page, file, { rate: RATE_HZ, origin: { floor: 0 } });
    await enter(page);
    await replay.step(Math.floor(replay.duration * RATE_HZ));
    const { frames } = await logOf(page);
    const times = frames.map((_, n) => (n + 1) / RATE_HZ);
    expect(times.length).toBe(Math.floor(replay.duration * RATE_HZ));
    expect(times.length).toBeGreaterThan(20);
    const truths = sample(file, "--at", times.join(","));
    expect(truths.map(({ time }) => time)).toEqual(times);
    const stamps = times.map((_, n) => ((n + 1) * 1000) / RATE_HZ);
    expect(frames.map(({ timeMs }) => timeMs)).toEqual(stamps);
    expect(frames.map(({ displayMs }) => displayMs)).toEqual(stamps);
    expect(frames.flatMap((frame, n) => mismatchesOf(frame, truths[n] as PrintedFrame))).toEqual([]);
    expect(frames.some(({ sources }) => sources.length > 0)).toBe(true);
  });
}

/** Returns messages, because thousands of assertions would take minutes. */
function mismatchesOf(frame: SeenFrame, truth: PrintedFrame): string[] {
  const at = `at ${truth.time} s`;
  const head = truth.camera === undefined ? [] : poseMismatches(frame.viewer, truth.camera, `head ${at}`);
  const hands = (["left", "right"] as const).flatMap((hand) => {
    const seen = frame.sources.find(({ handedness }) => handedness === hand);
    const isThere = truth[hand]?.tracked === true;
    if (seen === undefined || !isThere) {
      return (seen !== undefined) === isThere ? [] : [`${hand} hand ${at}: there in only one`];
    }
    return handFaults(seen, truth, hand, `${hand} ${at}`);
  });
  const gone = frame.gone.filter(({ joints, ray, grip, areFilled }) => {
    return [...Object.values(joints), ray, grip].some((pose) => pose !== null) || areFilled.some(Boolean);
  });
  return [...head, ...hands, ...gone.map(({ handedness }) => `${handedness} ${at}: gone, and yet somewhere`)];
}

function handFaults(seen: Seen, truth: PrintedFrame, hand: "left" | "right", subject: string): string[] {
  const joints = WEBXR_JOINTS.flatMap((joint, n) => {
    const recorded = truth[hand]?.joints?.[JOINTS[mrtkJointIndex(n)] as string];
    const pose = seen.joints[joint];
    if (!pose || !recorded) {
      return !pose && !recorded ? [] : [`${subject} ${joint}: there in only one`];
    }
    const filled = seen.matrices.slice(16 * n + 12, 16 * n + 15);
    const isFilled = filled.every((value, axis) => value === pose.position[axis]);
    const hasRadius = (seen.radii[n] ?? 0) > 0.004 && seen.radii[n] === Math.fround(seen.radius[n] ?? 0);
    const faults = [isFilled ? [] : `fillPoses ${filled}`, hasRadius ? [] : `radius ${seen.radii[n]}`].flat();
    return [
      ...poseMismatches(pose, recorded, `${subject} ${joint}`),
      ...faults.map((fault) => `${subject} ${joint}: ${fault}`),
    ];
  });
  const isWhole = WEBXR_JOINTS.every((joint) => seen.joints[joint] !== null);
  const pinch = truth[hand]?.pinching ? 1 : 0;
  const states: [unknown, unknown][] = [
    [seen.areFilled.join(), `${isWhole},${isWhole}`],
    [seen.isEmulated, false],
    [seen.pinch, pinch],
  ];
  return [...joints, ...states.filter(([a, b]) => a !== b).map(([a, b]) => `${subject}: ${a} instead of ${b}`)];
}

/** Recordings are in left-handed coordinates with z forward. */
function poseMismatches(seen: Pose, { position, rotation }: Pose, subject: string): string[] {
  const [x, y, z] = position;
  const apart = Math.hypot(seen.position[0] - x, seen.position[1] - y, seen.position[2] + z);
  const [qx, qy, qz, qw] = rotation;
  const expected = [-qx, -qy, qz, qw];
  const away = (sign: number) => Math.hypot(...expected.map((value, n) => value - sign * (seen.rotation[n] as number)));
  const turned = Math.min(away(1), away(-1));
  return apart < METRES && turned < ROTATION_TOLERANCE ? [] : [`${subject}: ${apart} m and ${turned} away`];
}
