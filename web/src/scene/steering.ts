/** Keys that rotate, pan and zoom the view. */

import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { keyName } from "../commands/keys";

const TURN_RADIANS = Math.PI / 24;
const MOVE_PX = 24;
const ZOOM = 0.9;

/** Named as by `keyName`. The camera moves in the direction of the arrow. */
const KEYS: Readonly<Record<string, (controls: OrbitControls) => void>> = {
  ArrowLeft: (controls) => controls.rotateLeft(TURN_RADIANS),
  ArrowRight: (controls) => controls.rotateLeft(-TURN_RADIANS),
  ArrowUp: (controls) => controls.rotateUp(TURN_RADIANS),
  ArrowDown: (controls) => controls.rotateUp(-TURN_RADIANS),
  "Shift+ArrowLeft": (controls) => controls.pan(MOVE_PX, 0),
  "Shift+ArrowRight": (controls) => controls.pan(-MOVE_PX, 0),
  "Shift+ArrowUp": (controls) => controls.pan(0, MOVE_PX),
  "Shift+ArrowDown": (controls) => controls.pan(0, -MOVE_PX),
  "+": (controls) => controls.dollyIn(ZOOM),
  "=": (controls) => controls.dollyIn(ZOOM),
  "-": (controls) => controls.dollyIn(1 / ZOOM),
};

/** Handles keys while the canvas has the focus, except in first person, which disables the controls. */
export function steerByKeys(canvas: HTMLCanvasElement, controls: OrbitControls): void {
  canvas.tabIndex = 0;
  canvas.addEventListener("mousedown", releaseFocus);
  canvas.addEventListener("keydown", (event) => {
    const steer = KEYS[keyName(event)];
    if (steer !== undefined && controls.enabled) {
      event.preventDefault();
      steer(controls);
    }
  });
}

/** Mouse users rotate with the mouse: arrow keys should step through time for them. */
function releaseFocus(event: MouseEvent): void {
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) {
    document.activeElement.blur();
  }
}
