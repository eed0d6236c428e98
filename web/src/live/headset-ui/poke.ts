/** Detects fingertips that press buttons by moving through the panel from the front. The finger must return before it can press again. */

import { buttonAt, PANEL_METRES, type PanelButton } from "./panel-canvas";

/** Joints are at the centre of the fingertip, so the skin touches earlier. */
const TOUCH_METRES = 0.008;
const RELEASE_METRES = 0.025;
/** A fingertip farther behind the panel went around it. */
const MAX_DEPTH_METRES = 0.06;
const NEAR_METRES = 0.12;

export class PokeDetector {
  private isInFront = false;
  /** Whether the fingertip is near the panel: pinches then do not press buttons, and the panel does not move. */
  isNear = false;
  /** The button in front of the fingertip. */
  target: PanelButton | null = null;

  /** Takes the fingertip's position relative to the panel's centre, z to the front. Returns the button that it has just pressed. */
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
    // A finger that passes the panel beside a button cannot press it by sliding.
    this.isInFront &&= !isThrough;
    return poked;
  }

  reset(): void {
    this.isInFront = false;
    this.isNear = false;
    this.target = null;
  }
}
