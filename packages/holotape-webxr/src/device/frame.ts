/** Frames without poses for what is not recorded; `iwer` would repeat the last pose. */

import { XRFrame, type XRJointPose, type XRJointSpace, type XRPose, type XRSpace } from "iwer";
import { isAbsent } from "./space";

const MATRIX_LENGTH = 16;

export class RecordedFrame extends XRFrame {
  /** Converts an existing frame, because `iwer` creates them. */
  static of(frame: XRFrame): void {
    Object.setPrototypeOf(frame, RecordedFrame.prototype);
  }

  // WebXR returns null here, which the types of `iwer` do not allow.
  override getPose(space: XRSpace, baseSpace: XRSpace): XRPose {
    return isAbsent(space) || isAbsent(baseSpace) ? (null as unknown as XRPose) : super.getPose(space, baseSpace);
  }

  override getJointPose(joint: XRJointSpace, baseSpace: XRSpace): XRJointPose {
    const isMissing = isAbsent(joint) || isAbsent(baseSpace);
    return isMissing ? (null as unknown as XRJointPose) : super.getJointPose(joint, baseSpace);
  }

  override fillJointRadii(joints: Iterable<XRJointSpace>, radii: Float32Array): boolean {
    const list = [...joints];
    let isComplete = super.fillJointRadii(list, radii);
    for (const [n, joint] of list.entries()) {
      if (isAbsent(joint)) {
        radii[n] = Number.NaN;
        isComplete = false;
      }
    }
    return isComplete;
  }

  override fillPoses(spaces: Iterable<XRSpace>, baseSpace: XRSpace, transforms: Float32Array): boolean {
    const list = [...spaces];
    let isComplete = super.fillPoses(list, baseSpace, transforms);
    for (const [n, space] of list.entries()) {
      if (isAbsent(space) || isAbsent(baseSpace)) {
        transforms.fill(Number.NaN, n * MATRIX_LENGTH, (n + 1) * MATRIX_LENGTH);
        isComplete = false;
      }
    }
    return isComplete;
  }
}
