/** Frames in which what was not recorded is nowhere: `iwer` would go on telling where it was last. */

import { XRFrame, type XRJointPose, type XRJointSpace, type XRPose, type XRSpace } from "iwer";
import { isAbsent } from "./space";

const MATRIX_LENGTH = 16;

export class RecordedFrame extends XRFrame {
  /** Of a frame that exists, because `iwer` makes them. */
  static of(frame: XRFrame): void {
    Object.setPrototypeOf(frame, RecordedFrame.prototype);
  }

  // WebXR returns null here, of which the types of `iwer` do not know.
  override getPose(space: XRSpace, baseSpace: XRSpace): XRPose {
    return isAbsent(space) || isAbsent(baseSpace) ? (null as unknown as XRPose) : super.getPose(space, baseSpace);
  }

  override getJointPose(joint: XRJointSpace, baseSpace: XRSpace): XRJointPose {
    const isNowhere = isAbsent(joint) || isAbsent(baseSpace);
    return isNowhere ? (null as unknown as XRJointPose) : super.getJointPose(joint, baseSpace);
  }

  override fillJointRadii(joints: Iterable<XRJointSpace>, radii: Float32Array): boolean {
    const list = [...joints];
    let isWhole = super.fillJointRadii(list, radii);
    for (const [n, joint] of list.entries()) {
      if (isAbsent(joint)) {
        radii[n] = Number.NaN;
        isWhole = false;
      }
    }
    return isWhole;
  }

  override fillPoses(spaces: Iterable<XRSpace>, baseSpace: XRSpace, transforms: Float32Array): boolean {
    const list = [...spaces];
    let isWhole = super.fillPoses(list, baseSpace, transforms);
    for (const [n, space] of list.entries()) {
      if (isAbsent(space) || isAbsent(baseSpace)) {
        transforms.fill(Number.NaN, n * MATRIX_LENGTH, (n + 1) * MATRIX_LENGTH);
        isWhole = false;
      }
    }
    return isWhole;
  }
}
