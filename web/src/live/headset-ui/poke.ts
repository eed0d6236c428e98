/** A fingertip that pokes buttons: from the front through the panel, once until it has come back. */

import { buttonAt, PANEL_METRES, type PanelButton } from "./panel-canvas";

/** Tips are measured at their middle: the skin is there before. */
const TOUCH_METRES = 0.008;
const RELEASE_METRES = 0.025;
/** A hand that is farther behind did not poke, it went around. */
const MAX_DEPTH_METRES = 0.06;
const NEAR_METRES = 0.12;

export class PokeDetector {
  private isInFront = false;
  /** Whether the tip is so near that a pinch is not meant for the panel, and that the panel keeps still. */
  isNear = false;
  /** What it is over. */
  target: PanelButton | null = null;

  /** Where the tip is now, from the middle of the panel, z to the front; what it has just poked. */
  update(x: number, y: number, z: number): PanelButton | null {
    const isOverPanel = Math.abs(x) <= PANEL_METRES.width / 2 && Math.abs(y) <= PANEL_METRES.height / 2;
    this.isNear = isOverPanel && Math.abs(z) < NEAR_METRES;
    this.target = this.isNear ? buttonAt(x, y) : null;
    if (z > RELEASE_METRES) {
      this.isInFront = true;
      return null;
    }
    const isThrough = z < TOUCH_METRES;
    const poked = this.isInFront && isThrough && z > -MAX_DEPTH_METRES ? this.target : null;
    // Whoever comes in beside a button does not poke by sliding onto it.
    this.isInFront &&= !isThrough;
    return poked;
  }

  reset(): void {
    this.isInFront = false;
    this.isNear = false;
    this.target = null;
  }
}
