/**
 * The gesture that adds a marker: the thumb of the left hand touches the tip of the little finger while the index finger is extended, for
 * 0.3 s. It does not occur when grasping, has no meaning in other systems, and can be done without looking.
 */

/** Wider than a pinch, because tracking is least accurate for the little finger. */
const TOUCH_START_METRES = 0.02;
const TOUCH_END_METRES = 0.045;
/** In a fist or around a handle, all fingertips are close together. */
const MIN_INDEX_METRES = 0.05;
/** Longer than an accidental touch. */
const HOLD_SECS = 0.3;

export class MarkerGesture {
  private since: number | null = null;
  private isDone = false;

  /** Returns true in the frame that completes the gesture, once until the fingers separate. */
  update(timeSecs: number, thumbToLittleMetres: number, thumbToIndexMetres: number): boolean {
    const wasTouching = this.since !== null;
    const isTouching = thumbToLittleMetres < (wasTouching ? TOUCH_END_METRES : TOUCH_START_METRES);
    if (!isTouching || thumbToIndexMetres < MIN_INDEX_METRES) {
      this.reset();
      return false;
    }
    this.since ??= timeSecs;
    const isComplete = !this.isDone && timeSecs - this.since >= HOLD_SECS;
    this.isDone ||= isComplete;
    return isComplete;
  }

  reset(): void {
    this.since = null;
    this.isDone = false;
  }
}
