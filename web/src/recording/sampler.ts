/** Samples all curves at a time, like `holotape::Sampler`. Unity's coordinates: left-handed, y up, z forward. */

import { type Curve, type RecordingCurves, WRAP_LOOP, WRAP_PING_PONG } from "./decode";
import { elementAt, isOn, lastAtOrBefore, valueAt } from "./evaluate";
import { HANDS, type Hand, JOINTS } from "./joints";

export type Vector = [number, number, number];
/** x, y, z, w. */
export type Quaternion = [number, number, number, number];

export interface Pose {
  readonly position: Vector;
  readonly rotation: Quaternion;
}

export interface Ray {
  readonly origin: Vector;
  readonly direction: Vector;
}

export interface HandFrame {
  readonly tracked: boolean;
  readonly pinching: boolean;
  /** In the order of `JOINTS`. */
  readonly joints: readonly (Pose | null)[];
}

export interface Frame {
  readonly time: number;
  readonly camera: Pose | null;
  readonly gaze: Ray | null;
  readonly left: HandFrame | null;
  readonly right: HandFrame | null;
}

/** The motion of a recording or of a live take. */
export interface MotionSource {
  /** A hand that is not tracked has no poses. */
  frameAt(time: number): Frame;
  gazeAt(time: number): Ray | null;
  handAt(hand: Hand, time: number): HandFrame | null;
  /** The position of one joint; `null` if its hand is not tracked. */
  jointAt(hand: Hand, joint: number, time: number): Vector | null;
}

interface PoseCurves {
  readonly position: readonly Curve[];
  readonly rotation: readonly Curve[];
  /** Whether the rotation is interpolated along the shortest path between keys of opposite signs. */
  readonly usesShortestPath: boolean;
}

interface HandCurves {
  readonly tracked: Curve | undefined;
  readonly pinching: Curve | undefined;
  readonly joints: readonly (PoseCurves | null)[];
}

const NO_JOINTS: readonly null[] = JOINTS.map(() => null);

export class Sampler implements MotionSource {
  private readonly camera: PoseCurves | null;
  private readonly gaze: { readonly origin: readonly Curve[]; readonly direction: readonly Curve[] } | null;
  private readonly hands: Readonly<Record<Hand, HandCurves>> | null;

  constructor(curves: RecordingCurves) {
    const { channels } = curves;
    this.camera = channels.camera ? poseCurves(curves, "camera") : null;
    const origin = vectorCurves(curves, "gaze.origin", "xyz");
    const direction = vectorCurves(curves, "gaze.direction", "xyz");
    this.gaze = origin !== null && direction !== null ? { origin, direction } : null;
    this.hands = channels.hands ? { left: handCurves(curves, "left"), right: handCurves(curves, "right") } : null;
  }

  frameAt(time: number): Frame {
    const [left, right] = HANDS.map((hand) => this.handAt(hand, time));
    return { time, camera: this.cameraAt(time), gaze: this.gazeAt(time), left: left ?? null, right: right ?? null };
  }

  cameraAt(time: number): Pose | null {
    return this.camera === null ? null : poseAt(this.camera, time);
  }

  gazeAt(time: number): Ray | null {
    if (this.gaze === null) {
      return null;
    }
    const origin = vectorAt(this.gaze.origin, time);
    return { origin, direction: normalize(vectorAt(this.gaze.direction, time)) ?? [0, 0, 0] };
  }

  handAt(hand: Hand, time: number): HandFrame | null {
    const found = this.hands?.[hand];
    if (found === undefined) {
      return null;
    }
    const tracked = isOn(found.tracked, time);
    const joints = tracked ? found.joints.map((joint) => joint && poseAt(joint, time)) : NO_JOINTS;
    return { tracked, pinching: isOn(found.pinching, time), joints };
  }

  /** Cheaper than `handAt`. */
  jointAt(hand: Hand, joint: number, time: number): Vector | null {
    const found = this.hands?.[hand];
    const pose = found?.joints[joint];
    return pose && isOn(found?.tracked, time) ? vectorAt(pose.position, time) : null;
  }
}

function handCurves(curves: RecordingCurves, hand: Hand): HandCurves {
  return {
    tracked: curves.byName.get(`${hand}.tracked`),
    pinching: curves.byName.get(`${hand}.pinching`),
    joints: JOINTS.map((joint) => poseCurves(curves, `${hand}.${joint}`)),
  };
}

/** `null` unless all seven curves have keys. */
function poseCurves(curves: RecordingCurves, name: string): PoseCurves | null {
  const position = vectorCurves(curves, `${name}.position`, "xyz");
  const rotation = vectorCurves(curves, `${name}.rotation`, "xyzw");
  return position === null || rotation === null
    ? null
    : { position, rotation, usesShortestPath: usesShortestPath(rotation) };
}

function vectorCurves(curves: RecordingCurves, name: string, axes: string): readonly Curve[] | null {
  const found = [...axes].map((axis) => curves.byName.get(`${name}.${axis}`));
  return found.every((curve) => curve !== undefined) ? found : null;
}

/** Whether curves are linear, clamp outside their keys, and share strictly increasing key times. */
function usesShortestPath(curves: readonly Curve[]): boolean {
  const repeats = (mode: number) => mode === WRAP_LOOP || mode === WRAP_PING_PONG;
  const times = curves[0]?.times;
  const isPlain = (curve: Curve) =>
    curve.times === times && curve.kind === "linear" && !repeats(curve.preWrap) && !repeats(curve.postWrap);
  return (
    times !== undefined && curves.every(isPlain) && times.every((time, n) => n === 0 || time > elementAt(times, n - 1))
  );
}

function poseAt(curves: PoseCurves, time: number): Pose {
  const rotation = curves.usesShortestPath
    ? interpolateRotation(curves.rotation, time)
    : curves.rotation.map((c) => valueAt(c, time));
  return {
    position: vectorAt(curves.position, time),
    rotation: (normalize(rotation) as Quaternion | null) ?? [0, 0, 0, 1],
  };
}

function vectorAt([x, y, z]: readonly Curve[], time: number): Vector {
  const value = (curve: Curve | undefined) => (curve === undefined ? 0 : valueAt(curve, time));
  return [value(x), value(y), value(z)];
}

/** Interpolates between two keys, negating the second quaternion if that makes the path shorter. */
function interpolateRotation(curves: readonly Curve[], time: number): number[] {
  const times = (curves[0] as Curve).times;
  const before = lastAtOrBefore(times, time);
  if (before < 0 || before + 1 >= times.length) {
    return curves.map((curve) => elementAt(curve.values, Math.max(before, 0)));
  }
  const from = curves.map((curve) => elementAt(curve.values, before));
  const to = curves.map((curve) => elementAt(curve.values, before + 1));
  const dot = from.reduce((sum, value, n) => sum + value * (to[n] as number), 0);
  const sign = dot < 0 ? -1 : 1;
  const t = (time - elementAt(times, before)) / (elementAt(times, before + 1) - elementAt(times, before));
  return from.map((value, n) => value + t * (sign * (to[n] as number) - value));
}

/** `null` for a vector of length 0. */
function normalize<V extends number[]>(vector: V): V | null {
  const length = Math.hypot(...vector);
  return length === 0 ? null : (vector.map((value) => value / length) as V);
}
