/**
 * How finely to draw. Where frames come slowly, as they do without a graphics card, what moves is drawn with fewer pixels, and
 * what rests with all of them.
 */

const SLOW_MS = 26;
const FAST_MS = 18;
/** Longer than this was a pause, not a frame. */
const PAUSE_MS = 1000;
/** How much has to be slow in a row before something is done about it: so many frames, or fewer that are slower. */
const SLOW_FRAMES = 5;
const FAST_FRAMES = 90;
/** How coarse it may get. A browser that saves power is slow as well, and there it would help nobody. */
const MIN_SCALE = 0.5;
/** Of machines that are known to be slow, and where they begin. */
const MIN_SCALE_SOFTWARE = 0.25;
const INITIAL_SCALE_SOFTWARE = 0.5;
const STEP = 0.8;

export class AdaptiveResolution {
  /** Of the pixels along a side, while things move. */
  scale: number;
  private last = Number.NEGATIVE_INFINITY;
  private slowFrames = 0;
  private fastFrames = 0;
  private quickFramesNeeded = FAST_FRAMES;
  private wasIncreased = false;
  private readonly minScale: number;

  constructor(isSoftware: boolean) {
    this.scale = isSoftware ? INITIAL_SCALE_SOFTWARE : 1;
    this.minScale = isSoftware ? MIN_SCALE_SOFTWARE : MIN_SCALE;
  }

  /** To be told of each frame that moves. */
  frame(now: number): void {
    const took = now - this.last;
    this.last = now;
    if (took > PAUSE_MS) {
      return;
    }
    this.slowFrames = took > SLOW_MS ? this.slowFrames + took / SLOW_MS : 0;
    this.fastFrames = took < FAST_MS ? this.fastFrames + 1 : 0;
    if (this.slowFrames >= SLOW_FRAMES && this.scale > this.minScale) {
      // Finer was too fine: it is tried again later, so as not to go to and fro.
      this.quickFramesNeeded *= this.wasIncreased ? 2 : 1;
      this.change(Math.max(this.scale * STEP, this.minScale), false);
    } else if (this.fastFrames >= this.quickFramesNeeded && this.scale < 1) {
      this.change(Math.min(this.scale / STEP, 1), true);
    }
  }

  private change(scale: number, wasIncreased: boolean): void {
    this.scale = scale;
    this.wasIncreased = wasIncreased;
    this.slowFrames = 0;
    this.fastFrames = 0;
  }
}
