/** The view of one hand. */

import { type BufferGeometry, Color, Mesh, type ShaderMaterial, Vector3, Vector4 } from "three";
import { JOINT_COUNT } from "../recording/joints";
import type { Pose } from "../recording/sampler";
import { HAND_MESHES, HAND_VERTEX } from "./hand-mesh";
import { ghost, solid } from "./shading";
import { INDEX_TIP, RADII, THUMB_TIP } from "./skeleton";
import { setPoint } from "./space";

export interface HandStyle {
  /** Whether the hand is not tracked now, and drawn at its last pose. */
  readonly isGhost: boolean;
  readonly isLowQuality: boolean;
  readonly bones: Color;
  readonly joint: (joint: number) => Color;
  /** The colour of thumb and index tip during a pinch. */
  readonly pinch: Color | null;
}

const PINCH_GLOW = 0.7;

export class HandView {
  private readonly uniforms = {
    joints: { value: Array.from({ length: JOINT_COUNT }, () => new Vector4()) },
    jointPaints: { value: Array.from({ length: JOINT_COUNT }, () => new Vector4()) },
    bonePaint: { value: new Color() },
  };
  private readonly solid = solid(HAND_VERTEX, this.uniforms);
  private readonly ghost = ghost(HAND_VERTEX, this.uniforms);
  readonly mesh = new Mesh<BufferGeometry, ShaderMaterial | ShaderMaterial[]>(HAND_MESHES.fine, this.solid);
  private readonly point = new Vector3();

  constructor() {
    this.mesh.frustumCulled = false;
  }

  hide(): void {
    this.mesh.visible = false;
  }

  show(joints: readonly (Pose | null)[], style: HandStyle): void {
    this.mesh.visible = true;
    this.mesh.geometry = style.isLowQuality ? HAND_MESHES.coarse : HAND_MESHES.fine;
    this.mesh.material = style.isGhost ? this.ghost : this.solid;
    for (const [joint, at] of this.uniforms.joints.value.entries()) {
      const isDrawable = setPoint(this.point, joints[joint]?.position);
      at.set(this.point.x, this.point.y, this.point.z, isDrawable ? (RADII[joint] ?? 0) : 0);
    }
    this.paint(style);
  }

  /** The position of a joint, also of a ghost; `null` if it is not drawn. */
  joint(joint: number): Vector3 | null {
    const found = this.uniforms.joints.value[joint];
    return this.mesh.visible && found !== undefined && found.w > 0 ? new Vector3(found.x, found.y, found.z) : null;
  }

  /** The position of a joint as passed to the shader; `null` for a ghost, which is not at the hand's position. */
  drawn(joint: number): Vector3 | null {
    return this.mesh.material === this.solid ? this.joint(joint) : null;
  }

  dispose(): void {
    for (const material of [this.solid, ...this.ghost]) {
      material.dispose();
    }
  }

  private paint({ bones, joint, pinch }: HandStyle): void {
    this.uniforms.bonePaint.value.copy(bones);
    for (const [n, paint] of this.uniforms.jointPaints.value.entries()) {
      const isPinching = pinch !== null && (n === THUMB_TIP || n === INDEX_TIP);
      const { r, g, b } = isPinching ? pinch : joint(n);
      paint.set(r, g, b, isPinching ? PINCH_GLOW : 0);
    }
  }
}
