/** Reads a WebXR hand as MRTK joints in Unity's coordinates, into reused arrays to avoid garbage collection. */

import { Matrix4, Quaternion, Vector3 } from "three";
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

/** A vector of WebXR or three.js. */
type Xyz = Pick<DOMPointReadOnly, "x" | "y" | "z">;

export class HandReader {
  /** Seven values per joint, in the order of `JOINTS`: position x, y, z, rotation x, y, z, w. */
  readonly joints = new Float32Array(JOINT_COUNT * POSE_FLOATS);
  private readonly matrices = new Float32Array(16 * WEBXR_JOINTS.length);
  private readonly matrix = new Matrix4();
  private readonly position = new Vector3();
  private readonly rotation = new Quaternion();
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
    const along = (axis: number) => at(joints, a * POSE_FLOATS + axis) - at(joints, b * POSE_FLOATS + axis);
    return Math.hypot(along(0), along(1), along(2));
  }

  private readBatch(frame: JointSource, space: XRSpace): boolean {
    if (frame.fillPoses?.(this.spaces, space, this.matrices) !== true) {
      return false;
    }
    for (let n = 0; n < WEBXR_JOINTS.length; n++) {
      this.matrix.fromArray(this.matrices, 16 * n);
      this.position.setFromMatrixPosition(this.matrix);
      this.rotation.setFromRotationMatrix(this.matrix);
      writeUnityPose(this.joints, mrtkJointIndex(n) * POSE_FLOATS, this.position, this.rotation);
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
      const { position, orientation } = pose.transform;
      writeUnityPose(this.joints, mrtkJointIndex(n) * POSE_FLOATS, position, orientation);
    }
    return true;
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
export function writeUnityPose(into: Float32Array, from: number, position: Xyz, rotation: Xyz & { w: number }): void {
  into[from] = position.x;
  into[from + 1] = position.y;
  into[from + 2] = -position.z;
  into[from + 3] = -rotation.x;
  into[from + 4] = -rotation.y;
  into[from + 5] = rotation.z;
  into[from + 6] = rotation.w;
}

function at(numbers: ArrayLike<number>, n: number): number {
  return numbers[n] as number;
}
