/** The pose of the floating panel: within reach, below the line of sight, following with a delay. */

import { Euler, MathUtils, Quaternion, Vector3 } from "three";

/** Relative to the eyes, below the usual space of the hands. */
const AHEAD_METRES = 0.46;
const BELOW_METRES = 0.3;
/** Tilted towards the eyes. */
const TILT_RADIANS = -Math.atan2(BELOW_METRES, AHEAD_METRES);
/** The panel starts to follow when the head has moved this far, and stops at its new position. */
const FOLLOW_START = { radians: 0.6, metres: 0.22 };
const FOLLOW_END = { radians: 0.03, metres: 0.01 };
/** The fraction of the distance that remains after one second. */
const RESIDUAL_PER_SECOND = 0.05;

export class PanelFollower {
  readonly position = new Vector3();
  readonly rotation = new Quaternion();
  private yaw: number | null = null;
  private isMoving = false;
  private readonly eyes = new Vector3();
  private readonly offset = new Vector3();
  private readonly euler = new Euler(0, 0, 0, "YXZ");

  /** Updates the pose for a frame. The panel does not move while it is touched. */
  update(head: { readonly position: Vector3; readonly rotation: Quaternion }, secs: number, isTouched: boolean): void {
    const headYaw = this.euler.setFromQuaternion(head.rotation).y;
    if (this.yaw === null) {
      this.yaw = headYaw;
      this.eyes.copy(head.position);
    }
    const yawError = angleBetween(this.yaw, headYaw);
    const distance = this.eyes.distanceTo(head.position);
    const limit = this.isMoving ? FOLLOW_END : FOLLOW_START;
    this.isMoving = !isTouched && (Math.abs(yawError) > limit.radians || distance > limit.metres);
    if (this.isMoving) {
      const t = 1 - RESIDUAL_PER_SECOND ** secs;
      this.yaw += t * yawError;
      this.eyes.lerp(head.position, t);
    }
    this.offset.set(-Math.sin(this.yaw) * AHEAD_METRES, -BELOW_METRES, -Math.cos(this.yaw) * AHEAD_METRES);
    this.position.addVectors(this.eyes, this.offset);
    this.rotation.setFromEuler(this.euler.set(TILT_RADIANS, this.yaw, 0));
  }

  /** Starts in front of the head with the next frame. */
  reset(): void {
    this.yaw = null;
  }
}

/** The signed angle between two angles, at most half a turn. */
function angleBetween(from: number, to: number): number {
  return MathUtils.euclideanModulo(to - from + Math.PI, 2 * Math.PI) - Math.PI;
}
