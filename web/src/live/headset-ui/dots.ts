/** The hands as dots, to show where the fingertips are. */

import { Color, IcosahedronGeometry, InstancedMesh, Matrix4, MeshBasicMaterial } from "three";
import { JOINT_COUNT } from "../../recording/joints";
import { RADII } from "../../scene/skeleton";
import type { FrameCapture } from "../capture";
import { POSE_FLOATS } from "../records";

/** Smaller than the joints, because with passthrough the dots lie on the real hand. */
const RADIUS_FACTOR = 0.55;

export class HandDots {
  readonly mesh: InstancedMesh;
  private readonly matrix = new Matrix4();

  constructor(colour: string) {
    const material = new MeshBasicMaterial({ color: new Color(colour), transparent: true, opacity: 0.85 });
    this.mesh = new InstancedMesh(new IcosahedronGeometry(1, 2), material, JOINT_COUNT);
    this.mesh.frustumCulled = false;
  }

  /** Shows a tracked hand, and hides another one. */
  update({ isTracked, reader: { joints } }: FrameCapture["hands"]["left"]): void {
    this.mesh.visible = isTracked;
    for (let joint = 0; joint < JOINT_COUNT; joint++) {
      const from = joint * POSE_FLOATS;
      const radius = RADIUS_FACTOR * (RADII[joint] ?? 0);
      this.matrix.makeScale(radius, radius, radius);
      this.matrix.setPosition(joints[from] ?? 0, joints[from + 1] ?? 0, -(joints[from + 2] ?? 0));
      this.mesh.setMatrixAt(joint, this.matrix);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}
