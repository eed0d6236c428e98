/** The line at the time that is shown: an element of its own, so that moving it draws no curve again. */

import { element } from "../dom";
import type { State } from "../state";

export class Playhead {
  private readonly line = element("div", { class: "curve-playhead", "aria-hidden": "true" });

  constructor(private readonly state: State) {}

  /** To where the time is in the window, in the element that has the width of the window. */
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
