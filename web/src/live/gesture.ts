/**
 * The gesture that sets a marker: the thumb of the left hand on the tip of its little finger, the index finger stretched away, held for a
 * moment. Nobody takes hold of anything so, no headset has a meaning for it, and it can be done without looking.
 */

/** Wider than a pinch: little fingers are the ones that trackers see worst. */
const TOUCH_START_METRES = 0.02;
const TOUCH_END_METRES = 0.045;
/** In a fist and around a handle, all tips are near each other. */
const MIN_INDEX_METRES = 0.05;
/** Longer than fingers need to brush past each other. */
const HOLD_SECS = 0.3;

export class MarkerGesture {
  private since: number | null = null;
  private isDone = false;

  /** Whether the gesture is complete with this frame: once, until the fingers are apart again. */
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

  /** The hand is gone. */
  reset(): void {
    this.since = null;
    this.isDone = false;
  }
}
