/** Text labels at positions of the scene. */

import { type Camera, Vector3 } from "three";
import { element } from "../dom";

export interface Label {
  readonly text: string;
  readonly position: Vector3;
  /** A colour name of the style sheet. */
  readonly colorName: string;
}

export class Labels {
  private readonly host = element("div", { class: "scene-labels", "aria-hidden": true });
  private readonly projected = new Vector3();

  constructor(parent: HTMLElement) {
    parent.append(this.host);
  }

  show(labels: readonly Label[], camera: Camera, width: number, height: number): void {
    while (this.host.childElementCount > labels.length) {
      this.host.lastElementChild?.remove();
    }
    for (const [n, label] of labels.entries()) {
      this.update(label, this.elementAt(n), camera, width, height);
    }
  }

  private update(
    { text, position, colorName: colorIndex }: Label,
    into: HTMLElement,
    camera: Camera,
    width: number,
    height: number,
  ): void {
    const { x, y, z } = this.projected.copy(position).project(camera);
    into.hidden = z > 1;
    if (into.textContent !== text) {
      into.textContent = text;
    }
    into.style.setProperty("--label", `var(--${colorIndex})`);
    into.style.translate = `${(0.5 + 0.5 * x) * width}px ${(0.5 - 0.5 * y) * height}px`;
  }

  private elementAt(n: number): HTMLElement {
    const known = this.host.children[n];
    if (known instanceof HTMLElement) {
      return known;
    }
    const created = element("span", { class: "scene-label" });
    this.host.append(created);
    return created;
  }
}
