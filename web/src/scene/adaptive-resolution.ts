/**
 * How finely to draw. Where frames come slowly, as they do without a graphics card, what moves is drawn with fewer pixels, and
 * what rests with all of them.
 */

const SLOW_MS = 26;
const QUICK_MS = 18;
/** Longer than this was a pause, not a frame. */
const PAUSE_MS = 1000;
/** How much has to be slow in a row before something is done about it: so many frames, or fewer that are slower. */
const SLOW_FRAMES = 5;
const QUICK_FRAMES = 90;
/** How coarse it may get. A browser that saves power is slow as well, and there it would help nobody. */
const MIN_SCALE = 0.5;
/** Of machines that are known to be slow, and where they begin. */
const MIN_SCALE_SOFTWARE = 0.25;
const INITIAL_SCALE_SOFTWARE = 0.5;
const STEP = 0.8;

export class AdaptiveResolution {
  /** Of the pixels along a side, while things move. */
  share: number;
  private last = Number.NEGATIVE_INFINITY;
  private slow = 0;
  private quick = 0;
  private patience = QUICK_FRAMES;
  private wentFiner = false;
  private readonly coarsest: number;

  constructor(isKnownToBeSlow: boolean) {
    this.share = isKnownToBeSlow ? INITIAL_SCALE_SOFTWARE : 1;
    this.coarsest = isKnownToBeSlow ? MIN_SCALE_SOFTWARE : MIN_SCALE;
  }

  /** To be told of each frame that moves. */
  frame(now: number): void {
    const took = now - this.last;
    this.last = now;
    if (took > PAUSE_MS) {
      return;
    }
    this.slow = took > SLOW_MS ? this.slow + took / SLOW_MS : 0;
    this.quick = took < QUICK_MS ? this.quick + 1 : 0;
    if (this.slow >= SLOW_FRAMES && this.share > this.coarsest) {
      // Finer was too fine: it is tried again later, so as not to go to and fro.
      this.patience *= this.wentFiner ? 2 : 1;
      this.change(Math.max(this.share * STEP, this.coarsest), false);
    } else if (this.quick >= this.patience && this.share < 1) {
      this.change(Math.min(this.share / STEP, 1), true);
    }
  }

  private change(share: number, wentFiner: boolean): void {
    this.share = share;
    this.wentFiner = wentFiner;
    this.slow = 0;
    this.quick = 0;
  }
}
