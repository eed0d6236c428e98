/** Check boxes for curves: each stands for one or several, and follows what is shown. */

import { effect } from "@preact/signals-core";
import type { App } from "../app";
import { element } from "../dom";

export class PickBoxes {
  private readonly boxes = new Map<HTMLInputElement, readonly string[]>();

  constructor(private readonly app: App) {
    effect(() => {
      const shown = new Set(app.state.drawnCurves.value);
      for (const [box, names] of this.boxes) {
        mark(box, names, shown);
      }
    });
  }

  make(names: readonly string[], label: string | null = null): HTMLInputElement {
    const box = element("input", { type: "checkbox", "aria-label": label, title: label });
    box.addEventListener("change", () => this.app.showCurves(names, box.checked));
    mark(box, names, new Set(this.app.state.drawnCurves.peek()));
    this.boxes.set(box, names);
    return box;
  }

  /** Forgets all boxes: they are no longer on the page. */
  clear(): void {
    this.boxes.clear();
  }
}

function mark(box: HTMLInputElement, names: readonly string[], shown: ReadonlySet<string>): void {
  const count = names.filter((name) => shown.has(name)).length;
  box.checked = count === names.length;
  box.indeterminate = count > 0 && count < names.length;
}
