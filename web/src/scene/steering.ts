/** Keys that rotate, pan and zoom the view. */

import { keyName } from "../commands/keys";
import type { CameraRig } from "./camera-rig";

const TURN_RADIANS = Math.PI / 24;
const MOVE_PX = 24;
const ZOOM = 0.9;

type Steer = (cameraRig: CameraRig) => void;

/** Named as by `keyName`. The camera moves in the direction of the arrow. */
const KEYS: ReadonlyMap<string, Steer> = new Map([
  ["ArrowLeft", turn(1, 0)],
  ["ArrowRight", turn(-1, 0)],
  ["ArrowUp", turn(0, 1)],
  ["ArrowDown", turn(0, -1)],
  ["Shift+ArrowLeft", move(1, 0)],
  ["Shift+ArrowRight", move(-1, 0)],
  ["Shift+ArrowUp", move(0, 1)],
  ["Shift+ArrowDown", move(0, -1)],
  ["+", zoom(ZOOM)],
  ["=", zoom(ZOOM)],
  ["-", zoom(1 / ZOOM)],
]);

/** Handles keys while the canvas has the focus. */
export function steerByKeys(canvas: HTMLCanvasElement, cameraRig: CameraRig): void {
  canvas.tabIndex = 0;
  canvas.addEventListener("mousedown", releaseFocus);
  canvas.addEventListener("keydown", (event) => {
    const steer = KEYS.get(keyName(event));
    if (steer !== undefined && cameraRig.isSteerable) {
      event.preventDefault();
      steer(cameraRig);
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

function turn(left: number, up: number): Steer {
  return (cameraRig) => cameraRig.turn(left * TURN_RADIANS, up * TURN_RADIANS);
}

function move(left: number, up: number): Steer {
  return (cameraRig) => cameraRig.move(left * MOVE_PX, up * MOVE_PX);
}

function zoom(factor: number): Steer {
  return (cameraRig) => cameraRig.zoom(factor);
}
