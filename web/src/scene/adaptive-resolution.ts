/**
 * Lowers the resolution while the scene moves if frames are slow, as they are without a GPU. A scene at rest is drawn at full resolution.
 */

const SLOW_MS = 26;
const FAST_MS = 18;
/** A longer interval is a pause, not a slow frame. */
const PAUSE_MS = 1000;
/** Consecutive slow frames before the resolution is lowered; slower ones count more. */
const SLOW_FRAMES = 5;
const FAST_FRAMES = 90;
/** The minimum scale. Browsers in power-saving mode are slow as well, and a lower resolution would not help there. */
const MIN_SCALE = 0.5;
/** For software renderers: the minimum and initial scale. */
const MIN_SCALE_SOFTWARE = 0.25;
const INITIAL_SCALE_SOFTWARE = 0.5;
const STEP = 0.8;

export class AdaptiveResolution {
  /** The fraction of pixels per side that is drawn while the scene moves. */
  scale: number;
  private last = Number.NEGATIVE_INFINITY;
  private slowFrames = 0;
  private fastFrames = 0;
  private fastFramesNeeded = FAST_FRAMES;
  private wasIncreased = false;
  private readonly minScale: number;

  constructor(isSoftware: boolean) {
    this.scale = isSoftware ? INITIAL_SCALE_SOFTWARE : 1;
    this.minScale = isSoftware ? MIN_SCALE_SOFTWARE : MIN_SCALE;
  }

  /** Reports a frame of a moving scene. */
  frame(now: number): void {
    const took = now - this.last;
    this.last = now;
    if (took > PAUSE_MS) {
      return;
    }
    this.slowFrames = took > SLOW_MS ? this.slowFrames + took / SLOW_MS : 0;
    this.fastFrames = took < FAST_MS ? this.fastFrames + 1 : 0;
    if (this.slowFrames >= SLOW_FRAMES && this.scale > this.minScale) {
      // The increase was too much: wait longer before the next one, to avoid oscillation.
      this.fastFramesNeeded *= this.wasIncreased ? 2 : 1;
      this.change(Math.max(this.scale * STEP, this.minScale), false);
    } else if (this.fastFrames >= this.fastFramesNeeded && this.scale < 1) {
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
