/** Reads a WebXR hand as MRTK joints in Unity's coordinates, into reused arrays to avoid garbage collection. */

import { JOINT_COUNT, jointIndex } from "../recording/joints";
import { mrtkJointIndex, WEBXR_JOINTS } from "../recording/webxr";
import { POSE_FLOATS } from "./records";

const PALM = jointIndex("Palm");
const MIDDLE_METACARPAL = jointIndex("MiddleMetacarpal");
const MIDDLE_KNUCKLE = jointIndex("MiddleKnuckle");

/** The part of `XRFrame` that reads hands. Not every browser has `fillPoses`, which avoids allocations. */
export interface JointSource {
  fillPoses?(spaces: XRSpace[], baseSpace: XRSpace, transforms: Float32Array): boolean;
  getJointPose?(joint: XRJointSpace, baseSpace: XRSpace): Pick<XRPose, "transform"> | null | undefined;
}

export class HandReader {
  /** Seven values per joint, in the order of `JOINTS`: position x, y, z, rotation x, y, z, w. */
  readonly joints = new Float32Array(JOINT_COUNT * POSE_FLOATS);
  private readonly matrices = new Float32Array(16 * WEBXR_JOINTS.length);
  private readonly quaternion = new Float32Array(4);
  private spaces: XRJointSpace[] = [];
  private spacesHand: XRHand | null = null;

  /** Reads the hand of a frame. Returns whether all of its joints are tracked. */
  read(frame: JointSource, hand: XRHand, space: XRSpace): boolean {
    if (this.spacesHand !== hand) {
      this.spaces = WEBXR_JOINTS.flatMap((name) => hand.get(name) ?? []);
      this.spacesHand = hand;
    }
    if (this.spaces.length !== WEBXR_JOINTS.length) {
      return false;
    }
    const isTracked = frame.fillPoses === undefined ? this.readOneByOne(frame, space) : this.readBatch(frame, space);
    if (isTracked) {
      this.derivePalm();
    }
    return isTracked;
  }

  /** The distance between two joints in metres. */
  distance(a: number, b: number): number {
    const { joints } = this;
    const from = a * POSE_FLOATS;
    const to = b * POSE_FLOATS;
    const x = at(joints, from) - at(joints, to);
    const y = at(joints, from + 1) - at(joints, to + 1);
    const z = at(joints, from + 2) - at(joints, to + 2);
    return Math.sqrt(x * x + y * y + z * z);
  }

  private readBatch(frame: JointSource, space: XRSpace): boolean {
    if (frame.fillPoses?.(this.spaces, space, this.matrices) !== true) {
      return false;
    }
    for (let n = 0; n < WEBXR_JOINTS.length; n++) {
      const from = 16 * n;
      rotationOf(this.matrices, from, this.quaternion);
      const { matrices: m, quaternion: q } = this;
      this.writeJoint(n, at(m, from + 12), at(m, from + 13), at(m, from + 14), at(q, 0), at(q, 1), at(q, 2), at(q, 3));
    }
    return true;
  }

  private readOneByOne(frame: JointSource, space: XRSpace): boolean {
    for (let n = 0; n < this.spaces.length; n++) {
      const joint = this.spaces[n] as XRJointSpace;
      const pose = frame.getJointPose?.(joint, space);
      if (!pose) {
        return false;
      }
      const { position: p, orientation: q } = pose.transform;
      this.writeJoint(n, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
    }
    return true;
  }

  private writeJoint(n: number, x: number, y: number, z: number, qx: number, qy: number, qz: number, qw: number): void {
    writeUnityPose(this.joints, mrtkJointIndex(n) * POSE_FLOATS, x, y, z, qx, qy, qz, qw);
  }

  /** WebXR has no palm joint. OpenXR puts it in the middle of the middle finger's metacarpal bone, with the same rotation. */
  private derivePalm(): void {
    const { joints } = this;
    for (let n = 0; n < POSE_FLOATS; n++) {
      const root = at(joints, MIDDLE_METACARPAL * POSE_FLOATS + n);
      const knuckle = at(joints, MIDDLE_KNUCKLE * POSE_FLOATS + n);
      joints[PALM * POSE_FLOATS + n] = n < 3 ? (root + knuckle) / 2 : root;
    }
  }
}

/** Writes a WebXR pose in Unity's left-handed coordinates. */
export function writeUnityPose(
  into: Float32Array,
  from: number,
  x: number,
  y: number,
  z: number,
  qx: number,
  qy: number,
  qz: number,
  qw: number,
): void {
  into[from] = x;
  into[from + 1] = y;
  into[from + 2] = -z;
  into[from + 3] = -qx;
  into[from + 4] = -qy;
  into[from + 5] = qz;
  into[from + 6] = qw;
}

/** The rotation of a column-major matrix. Divides by the component of largest magnitude. */
function rotationOf(m: Float32Array, from: number, into: Float32Array): void {
  const xx = at(m, from);
  const yx = at(m, from + 1);
  const zx = at(m, from + 2);
  const xy = at(m, from + 4);
  const yy = at(m, from + 5);
  const zy = at(m, from + 6);
  const xz = at(m, from + 8);
  const yz = at(m, from + 9);
  const zz = at(m, from + 10);
  if (xx + yy + zz > 0) {
    const s = 2 * Math.sqrt(1 + xx + yy + zz);
    setQuaternion(into, (zy - yz) / s, (xz - zx) / s, (yx - xy) / s, s / 4);
  } else if (xx > yy && xx > zz) {
    const s = 2 * Math.sqrt(1 + xx - yy - zz);
    setQuaternion(into, s / 4, (xy + yx) / s, (xz + zx) / s, (zy - yz) / s);
  } else if (yy > zz) {
    const s = 2 * Math.sqrt(1 - xx + yy - zz);
    setQuaternion(into, (xy + yx) / s, s / 4, (yz + zy) / s, (xz - zx) / s);
  } else {
    const s = 2 * Math.sqrt(1 - xx - yy + zz);
    setQuaternion(into, (xz + zx) / s, (yz + zy) / s, s / 4, (yx - xy) / s);
  }
}

function setQuaternion(into: Float32Array, x: number, y: number, z: number, w: number): void {
  into[0] = x;
  into[1] = y;
  into[2] = z;
  into[3] = w;
}

function at(numbers: Float32Array, n: number): number {
  return numbers[n] as number;
}
