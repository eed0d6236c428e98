/** Shows the axes under Unity's names. A click looks along an axis. */

import { type Camera, Quaternion, Vector3 } from "three";
import { element } from "../dom";

interface Axis {
  readonly name: string;
  readonly label: string;
  /** In the coordinates of the scene. */
  readonly direction: Vector3;
}

const AXES: readonly Axis[] = [
  { name: "x", label: "View from the right, along x", direction: new Vector3(1, 0, 0) },
  { name: "y", label: "View from above, along y", direction: new Vector3(0, 1, 0) },
  { name: "z", label: "View from the front, along z", direction: new Vector3(0, 0, -1) },
];

const REACH_PX = 24;
const SVG = "http://www.w3.org/2000/svg";

export class Compass {
  private readonly projected = new Vector3();
  private readonly shown = new Quaternion(0, 0, 0, 0);
  private readonly arms: readonly {
    readonly axis: Axis;
    readonly line: SVGLineElement;
    readonly button: HTMLElement;
  }[];

  constructor(parent: HTMLElement, onPick: (from: Vector3) => void) {
    const host = element("div", { class: "scene-compass", role: "group", "aria-label": "Views along the axes" });
    const lines = document.createElementNS(SVG, "svg");
    lines.setAttribute("viewBox", "-32 -32 64 64");
    lines.setAttribute("aria-hidden", "true");
    host.append(lines);
    this.arms = AXES.map((axis) => {
      const line = document.createElementNS(SVG, "line");
      line.classList.add(axis.name);
      lines.append(line);
      const properties = { type: "button", class: axis.name, "aria-label": axis.label, title: axis.label };
      const button = element("button", properties, axis.name);
      button.addEventListener("click", () => onPick(axis.direction));
      host.append(button);
      return { axis, line, button };
    });
    parent.append(host);
  }

  show(camera: Camera): void {
    if (this.shown.equals(camera.quaternion)) {
      return;
    }
    this.shown.copy(camera.quaternion);
    for (const { axis, line, button } of this.arms) {
      const { x, y, z } = this.projected.copy(axis.direction).transformDirection(camera.matrixWorldInverse);
      line.setAttribute("x2", `${x * REACH_PX}`);
      line.setAttribute("y2", `${-y * REACH_PX}`);
      button.style.translate = `${x * REACH_PX}px ${-y * REACH_PX}px`;
      button.style.zIndex = z > 0 ? "1" : "0";
    }
  }
}
