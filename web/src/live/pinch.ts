/** Detects pinches: from the headset's select events, or from the distance between thumb and index finger. */

/**
 * Joints are at the centre of the fingertips, so touching fingers are 10 to 15 mm apart. Tracking noise is a few millimetres, so a pinch
 * ends only at twice the distance.
 */
export const PINCH_START_METRES = 0.015;
export const PINCH_END_METRES = 0.03;

export class PinchDetector {
  private isClose = false;
  private isSelecting = false;
  /** Started since the last frame: a pinch that ends before the next frame is still recorded. */
  private hasStartedSinceFrame = false;
  /** Whether this hand has sent select events. From then on, the distance is ignored. */
  private hasSelectEvents = false;

  /** Handles `selectstart`. */
  begin(): void {
    this.hasSelectEvents = true;
    this.isSelecting = true;
    this.hasStartedSinceFrame = true;
  }

  /** Handles `selectend`. */
  end(): void {
    this.hasSelectEvents = true;
    this.isSelecting = false;
  }

  /** Returns whether the hand pinches in this frame, given the distance between the tips of thumb and index finger. */
  update(distanceMetres: number): boolean {
    this.isClose = distanceMetres < (this.isClose ? PINCH_END_METRES : PINCH_START_METRES);
    const isPinching = this.hasSelectEvents ? this.isSelecting || this.hasStartedSinceFrame : this.isClose;
    this.hasStartedSinceFrame = false;
    return isPinching;
  }

  /** The hand is no longer tracked. */
  reset(): void {
    this.isClose = false;
    this.isSelecting = false;
    this.hasStartedSinceFrame = false;
  }
}
