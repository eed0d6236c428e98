/** Unit tests of the parts of live capture. */

import { expect, test } from "@playwright/test";
import { MarkerGesture } from "../src/live/gesture";
import { HandReader } from "../src/live/hand-reader";
import { centreOf } from "../src/live/headset-ui/panel-canvas";
import { PokeDetector } from "../src/live/headset-ui/poke";
import { LiveMotion } from "../src/live/motion";
import { PinchDetector } from "../src/live/pinch";
import { decodeFrame, FramePacker, MAX_FRAME_BYTES } from "../src/live/records";
import { JOINT_COUNT, jointIndex } from "../src/recording/joints";
import type { Frame, Pose, Quaternion } from "../src/recording/sampler";
import { derivePalm, flipPoseHandedness, mrtkJointIndex, WEBXR_JOINTS } from "../src/recording/webxr";

/** Distinct pseudo-random numbers. */
function numbers(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, n) => Math.sin(seed + 1.7 * n));
}

function buffer(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer as ArrayBuffer;
}

function poseIn(numbers: Float32Array, joint: number): Pose {
  const [x, y, z, qx, qy, qz, qw] = numbers.subarray(7 * joint, 7 * joint + 7) as unknown as number[];
  return { position: [x, y, z] as Pose["position"], rotation: [qx, qy, qz, qw] as Pose["rotation"] };
}

test("decodeFrame reverses FramePacker", () => {
  const [camera, left, right, gaze] = [numbers(7, 1), numbers(189, 2), numbers(189, 3), numbers(6, 4)];
  const packer = new FramePacker();
  packer.start(12.5);
  packer.camera(camera);
  packer.hand("left", left, false);
  packer.hand("right", right, true);
  packer.gaze(gaze);
  const record = packer.finish();
  // `None` is omitted from both hands.
  expect(record.length).toBe(MAX_FRAME_BYTES - 2 * 28);
  const frame = decodeFrame(buffer(record)) as Frame;
  expect([frame.time, frame.camera]).toEqual([12.5, poseIn(camera, 0)]);
  expect([frame.left?.tracked, frame.left?.pinching, frame.right?.pinching]).toEqual([true, false, true]);
  for (let joint = 1; joint < JOINT_COUNT; joint++) {
    expect(frame.left?.joints[joint]).toEqual(poseIn(left, joint));
    expect(frame.right?.joints[joint]).toEqual(poseIn(right, joint));
  }
  expect(frame.gaze).toEqual({ origin: [...gaze.subarray(0, 3)], direction: [...gaze.subarray(3)] });
});

test("frame bytes match docs/stream.md", () => {
  const packer = new FramePacker();
  packer.start(0.25);
  packer.hand("right", numbers(189, 3), true);
  const view = new DataView(buffer(packer.finish()));
  expect(view.getUint8(0)).toBe(1);
  expect(view.getFloat64(1, true)).toBe(0.25);
  const joints = ((1n << 26n) - 1n) << 29n;
  expect(view.getBigUint64(9, true)).toBe(joints | (1n << 57n) | (1n << 59n));
  expect(view.getFloat32(17, true)).toBe(numbers(189, 3)[7]);
  expect(view.byteLength).toBe(17 + 4 * 7 * 26);
});

test("FramePacker keeps nothing of the previous frame", () => {
  const packer = new FramePacker();
  packer.start(1);
  packer.hand("left", numbers(189, 2), true);
  packer.finish();
  packer.start(2);
  const frame = decodeFrame(buffer(packer.finish()));
  expect([frame?.left?.tracked, frame?.left?.pinching, frame?.camera]).toEqual([false, false, null]);
});

test("decodeFrame rejects malformed bytes", () => {
  const packer = new FramePacker();
  packer.start(1);
  packer.camera(numbers(7, 1));
  const record = packer.finish();
  expect(decodeFrame(buffer(record))).not.toBeNull();
  for (let length = 0; length < record.length; length++) {
    expect(decodeFrame(buffer(record.subarray(0, length)))).toBeNull();
  }
  expect(decodeFrame(buffer(Uint8Array.of(...record, 0)))).toBeNull();
  expect(decodeFrame(buffer(Uint8Array.of(2, ...record.subarray(1))))).toBeNull();
});

/** A pose as a quaternion with a position, and as a column-major matrix. */
function rotated(n: number): { pose: Pose; matrix: number[] } {
  const raw = [Math.sin(n), Math.cos(3 * n), Math.sin(5 * n + 1), Math.cos(7 * n) - 0.3];
  const length = Math.hypot(...raw);
  const [x, y, z, w] = raw.map((value) => value / length) as Quaternion;
  const position: Pose["position"] = [0.1 * n, 1 + 0.01 * n, -0.3 - 0.02 * n];
  const columns = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0],
    [...position, 1],
  ];
  return { pose: { position, rotation: [x, y, z, w] }, matrix: columns.flat() };
}

const POSES = WEBXR_JOINTS.map((_, n) => rotated(n));
const HAND = new Map(WEBXR_JOINTS.map((name, n) => [name, { n }])) as unknown as XRHand;
const SPACE = {} as XRSpace;

function expectHand(reader: HandReader): void {
  for (const [n, { pose }] of POSES.entries()) {
    expectSame(poseIn(reader.joints, mrtkJointIndex(n)), flipPoseHandedness(pose));
  }
  const at = (name: XRHandJoint) => flipPoseHandedness(POSES[WEBXR_JOINTS.indexOf(name)]?.pose as Pose);
  const palm = derivePalm(at("middle-finger-metacarpal"), at("middle-finger-phalanx-proximal"));
  expectSame(poseIn(reader.joints, jointIndex("Palm")), palm);
}

/** q and -q are the same rotation. */
function expectSame(read: Pose, expected: Pose): void {
  const dot = read.rotation.reduce((sum, value, n) => sum + value * (expected.rotation[n] ?? 0), 0);
  expect(Math.abs(dot)).toBeCloseTo(1, 5);
  for (const [n, value] of expected.position.entries()) {
    expect(read.position[n]).toBeCloseTo(value, 5);
  }
}

test("HandReader converts a batch of poses to Unity and derives the palm", () => {
  const reader = new HandReader();
  const fillPoses = (_: XRSpace[], __: XRSpace, into: Float32Array) => {
    into.set(POSES.flatMap(({ matrix }) => matrix));
    return true;
  };
  expect(reader.read({ fillPoses }, HAND, SPACE)).toBe(true);
  expectHand(reader);
  expect(reader.read({ fillPoses: () => false }, HAND, SPACE)).toBe(false);
});

test("HandReader reads joints one by one without fillPoses", () => {
  const reader = new HandReader();
  const getJointPose = (joint: XRJointSpace) => {
    const pose = flipPoseHandedness(flipPoseHandedness(POSES[(joint as unknown as { n: number }).n]?.pose as Pose));
    const [x, y, z] = pose.position;
    const [qx, qy, qz, qw] = pose.rotation;
    const transform = { position: { x, y, z, w: 1 }, orientation: { x: qx, y: qy, z: qz, w: qw } };
    return { transform: transform as unknown as XRRigidTransform };
  };
  expect(reader.read({ getJointPose }, HAND, SPACE)).toBe(true);
  expectHand(reader);
  let requestedJoints = 0;
  const missingJoint = (joint: XRJointSpace) => (requestedJoints++ === 20 ? null : getJointPose(joint));
  expect(reader.read({ getJointPose: missingJoint }, HAND, SPACE)).toBe(false);
});

test("PinchDetector has hysteresis", () => {
  const pinch = new PinchDetector();
  const states = [0.05, 0.02, 0.014, 0.02, 0.029, 0.031, 0.02, 0.016, 0.01].map((distances) => pinch.update(distances));
  expect(states).toEqual([false, false, true, true, true, false, false, false, true]);
  pinch.reset();
  expect(pinch.update(0.02)).toBe(false);
});

test("PinchDetector prefers select events, however short", () => {
  const pinch = new PinchDetector();
  expect(pinch.update(0.01)).toBe(true);
  pinch.begin();
  expect(pinch.update(0.08)).toBe(true);
  pinch.end();
  expect(pinch.update(0.01)).toBe(false);
  pinch.begin();
  pinch.end();
  expect([pinch.update(0.08), pinch.update(0.08)]).toEqual([true, false]);
});

test("PinchDetector resets when the hand is lost", () => {
  const pinch = new PinchDetector();
  pinch.begin();
  pinch.reset();
  expect(pinch.update(0.01)).toBe(false);
});

test("MarkerGesture needs to be held and fires once", () => {
  const gesture = new MarkerGesture();
  const at = (secs: number, little: number, index = 0.09) => gesture.update(secs, little, index);
  expect([at(0, 0.015), at(0.2, 0.03), at(0.31, 0.015), at(0.5, 0.015)]).toEqual([false, false, true, false]);
  expect([at(0.6, 0.05), at(0.7, 0.015), at(1.01, 0.015)]).toEqual([false, false, true]);
});

test("MarkerGesture ignores fists and short touches", () => {
  const gesture = new MarkerGesture();
  const fist = [0, 0.2, 0.4, 0.6].map((secs) => gesture.update(secs, 0.015, 0.04));
  const brush = [1, 1.1, 1.2, 1.3, 1.4].map((secs) => gesture.update(secs, secs < 1.25 ? 0.015 : 0.06, 0.09));
  expect([...fist, ...brush]).not.toContain(true);
});

test("PokeDetector fires once per press from the front", () => {
  const poke = new PokeDetector();
  const [x, y] = centreOf("stop");
  const depths = [0.1, 0.03, 0.01, 0.005, -0.01, 0.005, -0.01, 0.03, 0];
  const presses = depths.map((z) => poke.update(x, y, z));
  expect(presses).toEqual([null, null, null, "stop", null, null, null, null, "stop"]);
});

test("PokeDetector ignores pokes from behind, beside and by sliding", () => {
  const [x, y] = centreOf("marker");
  const behind = new PokeDetector();
  expect([-0.1, -0.02, 0.001].map((z) => behind.update(x, y, z))).toEqual([null, null, null]);
  const beside = new PokeDetector();
  beside.update(x, 0.05, 0.05);
  expect([beside.update(x, 0.05, 0), beside.update(x, y, -0.01)]).toEqual([null, null]);
});

test("LiveMotion keeps the frames that trails need", () => {
  const motion = new LiveMotion();
  const hand = (x: number) => ({
    tracked: true,
    pinching: false,
    joints: Array.from({ length: JOINT_COUNT }, (): Pose => ({ position: [x, 0, 0], rotation: [0, 0, 0, 1] })),
  });
  for (let n = 0; n <= 300; n++) {
    motion.push({ time: n / 100, camera: null, gaze: null, left: hand(n), right: null });
  }
  expect(motion.timeSecs).toBe(3);
  expect(motion.frameAt(3).left?.joints[1]?.position[0]).toBe(300);
  expect(motion.jointAt("left", 1, 2.005)?.[0]).toBe(200);
  expect(motion.jointAt("left", 1, 0.5)).toBeNull();
});
