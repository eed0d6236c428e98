/** The playhead of the chart: a separate element, so that moving it does not redraw the curves. */

import { element } from "../dom";
import type { State } from "../state";

export class Playhead {
  private readonly line = element("div", { class: "curve-playhead", "aria-hidden": "true" });

  constructor(private readonly state: State) {}

  /** Moves to the current time in an element that spans the window. */
  move(over: HTMLElement | null): void {
    if (over === null) {
      return;
    }
    if (this.line.parentElement !== over) {
      over.append(this.line);
    }
    const [from, to] = this.state.window.value;
    const fraction = (this.state.time.value - from) / (to - from);
    this.line.hidden = fraction < 0 || fraction > 1;
    this.line.style.transform = `translateX(${fraction * over.clientWidth}px)`;
  }
}
