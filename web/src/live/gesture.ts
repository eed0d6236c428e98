/**
 * The gesture that sets a marker: the thumb of the left hand on the tip of its little finger, the index finger stretched away, held for a
 * moment. Nobody takes hold of anything so, no headset has a meaning for it, and it can be done without looking.
 */

/** Wider than a pinch: little fingers are the ones that trackers see worst. */
const PINCH_START_METRES = 0.02;
const PINCH_END_METRES = 0.045;
/** In a fist and around a handle, all tips are near each other. */
const STRETCHED_METRES = 0.05;
/** Longer than fingers need to brush past each other. */
const HELD_SECS = 0.3;

export class MarkerGesture {
  private since: number | null = null;
  private isDone = false;

  /** Whether the gesture is complete with this frame: once, until the fingers are apart again. */
  update(timeSecs: number, thumbToLittleMetres: number, thumbToIndexMetres: number): boolean {
    const isOn = this.since !== null;
    const isTogether = thumbToLittleMetres < (isOn ? PINCH_END_METRES : PINCH_START_METRES);
    if (!isTogether || thumbToIndexMetres < STRETCHED_METRES) {
      this.reset();
      return false;
    }
    this.since ??= timeSecs;
    const isComplete = !this.isDone && timeSecs - this.since >= HELD_SECS;
    this.isDone ||= isComplete;
    return isComplete;
  }

  /** The hand is gone. */
  reset(): void {
    this.since = null;
    this.isDone = false;
  }
}
