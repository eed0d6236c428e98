/** Where the panel floats: at arm's length, low, and slow to follow, so that it is there when looked for and never in the way. */

import { Euler, Quaternion, Vector3 } from "three";

/** From the eyes, when one looks straight ahead: below what hands do. */
const AHEAD_METRES = 0.46;
const BELOW_METRES = 0.3;
/** Turned to the eyes above it. */
const TILT_RADIANS = -Math.atan2(BELOW_METRES, AHEAD_METRES);
/** It follows whoever has turned or gone this far, until it is where it should be. */
const FOLLOW_START = { radians: 0.6, metres: 0.22 };
const FOLLOW_END = { radians: 0.03, metres: 0.01 };
/** The share of the way that is left after a second. */
const RESIDUAL_PER_SECOND = 0.05;

export class PanelFollower {
  readonly position = new Vector3();
  readonly rotation = new Quaternion();
  private yaw: number | null = null;
  private isMoving = false;
  private readonly eyes = new Vector3();
  private readonly wanted = new Vector3();
  private readonly forward = new Vector3();
  private readonly turn = new Euler(0, 0, 0, "YXZ");

  /** Moves on by a frame. It keeps still while somebody reaches for it. */
  next(head: { readonly position: Vector3; readonly rotation: Quaternion }, secs: number, isHeld: boolean): void {
    const headYaw = this.yawOf(head.rotation);
    if (this.yaw === null) {
      this.yaw = headYaw;
      this.eyes.copy(head.position);
    }
    const away = angleBetween(this.yaw, headYaw);
    const gone = this.eyes.distanceTo(head.position);
    const limit = this.isMoving ? FOLLOW_END : FOLLOW_START;
    this.isMoving = !isHeld && (Math.abs(away) > limit.radians || gone > limit.metres);
    if (this.isMoving) {
      const share = 1 - RESIDUAL_PER_SECOND ** secs;
      this.yaw += share * away;
      this.eyes.lerp(head.position, share);
    }
    this.place(this.yaw);
  }

  /** Begins anew in front of whoever comes next. */
  reset(): void {
    this.yaw = null;
  }

  private place(yaw: number): void {
    this.wanted.set(-Math.sin(yaw) * AHEAD_METRES, -BELOW_METRES, -Math.cos(yaw) * AHEAD_METRES);
    this.position.addVectors(this.eyes, this.wanted);
    this.rotation.setFromEuler(this.turn.set(TILT_RADIANS, yaw, 0));
  }

  private yawOf(rotation: Quaternion): number {
    this.forward.set(0, 0, -1).applyQuaternion(rotation);
    return Math.atan2(-this.forward.x, -this.forward.z);
  }
}

/** From one angle to another, the short way. */
function angleBetween(from: number, to: number): number {
  const turn = (to - from) % (2 * Math.PI);
  return turn > Math.PI ? turn - 2 * Math.PI : turn < -Math.PI ? turn + 2 * Math.PI : turn;
}
