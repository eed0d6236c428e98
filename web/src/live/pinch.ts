/** Whether a hand pinches: by what the headset says, or else by how far thumb and index finger are apart. */

/**
 * Tips are measured at their middle, so that those that touch are 10 to 15 mm apart, as thick as the fingers are. Hand trackers tremble
 * by some millimetres: a pinch ends only where nobody would still call it one.
 */
export const PINCH_START_METRES = 0.015;
export const PINCH_END_METRES = 0.03;

export class PinchDetector {
  private isClose = false;
  private isSelecting = false;
  /** Began since the last frame: one that is over before the next frame has been there all the same. */
  private hasStartedSinceFrame = false;
  /** Whether this hand has ever told by itself: from then on it is believed, and nothing is measured. */
  private hasSelectEvents = false;

  /** `selectstart` of the hand. */
  begin(): void {
    this.hasSelectEvents = true;
    this.isSelecting = true;
    this.hasStartedSinceFrame = true;
  }

  /** `selectend` of the hand. */
  end(): void {
    this.hasSelectEvents = true;
    this.isSelecting = false;
  }

  /** Whether it pinches in this frame, with the tips of thumb and index finger so far apart. */
  update(distanceMetres: number): boolean {
    this.isClose = distanceMetres < (this.isClose ? PINCH_END_METRES : PINCH_START_METRES);
    const isPinching = this.hasSelectEvents ? this.isSelecting || this.hasStartedSinceFrame : this.isClose;
    this.hasStartedSinceFrame = false;
    return isPinching;
  }

  /** The hand is gone, and with it what it did. */
  reset(): void {
    this.isClose = false;
    this.isSelecting = false;
    this.hasStartedSinceFrame = false;
  }
}
