/** What the lines are, and their values at the playhead. */

import type { App } from "../app";
import { element, iconButton } from "../dom";
import { ICONS } from "../icons";
import { formatCount, formatFixed } from "../number-format";
import type { CurveKind } from "../recording/decode";
import { valueAt } from "../recording/evaluate";
import { toLocalTime } from "../state";
import type { Line, PickedCurve } from "./lines";

const KIND_NAMES: Readonly<Record<CurveKind, string>> = { linear: "linear", bezier: "Bézier", bool: "steps" };
/** Tenths of a millimetre, for those in metres. */
const DIGITS = 4;
/** Values that change faster cannot be read. */
const REFRESH_MS = 80;

type HighlightFn = (name: string | null) => void;

export class Legend {
  readonly view = element("ul", { class: "curve-legend", "aria-label": "Curves shown, with their values now" });
  private values: { readonly line: Line; readonly text: HTMLElement }[] = [];
  private isScheduled = false;

  constructor(
    private readonly app: App,
    private readonly onHighlight: HighlightFn,
  ) {
    app.state.time.subscribe(() => this.scheduleRefresh());
  }

  show(picks: readonly PickedCurve[]): void {
    this.values = [];
    this.view.replaceChildren(...picks.map((pick) => this.row(pick)));
    this.refresh();
  }

  /** Writes the values soon, not with every frame: text is slow to draw. */
  private scheduleRefresh(): void {
    if (!this.isScheduled && this.values.length > 0) {
      this.isScheduled = true;
      setTimeout(() => {
        this.isScheduled = false;
        this.refresh();
      }, REFRESH_MS);
    }
  }

  /** The values at what is the time by now. */
  private refresh(): void {
    const time = this.app.state.time.value;
    for (const { line, text } of this.values) {
      text.textContent = formatValue(line, time);
    }
  }

  private row(pick: PickedCurve): HTMLElement {
    const remove = iconButton(ICONS.close, `Remove ${pick.name}`, () => {
      this.onHighlight(null);
      this.app.view.showCurves([pick.name], false);
    });
    const name = element("span", { class: "curve-name", title: pick.name }, pick.name);
    const facts = element("span", { class: "muted" }, curveSummary(pick));
    const row = element("li", {}, swatch(pick.colour), name, this.value(pick.own), remove, facts, this.other(pick));
    for (const begin of ["pointerenter", "focusin"]) {
      row.addEventListener(begin, () => this.onHighlight(pick.name));
    }
    for (const end of ["pointerleave", "focusout"]) {
      row.addEventListener(end, () => this.onHighlight(null));
    }
    return row;
  }

  private other({ other, colour }: PickedCurve): HTMLElement {
    const dashed = swatch(colour);
    dashed.classList.add("dashed");
    const children = other === null ? [] : [dashed, this.value(other)];
    return element("span", { class: "curve-other", title: other?.recording.info.name }, ...children);
  }

  private value(line: Line | null): HTMLElement {
    const text = element("output", { class: "numbers", "aria-live": "off" });
    if (line !== null) {
      this.values.push({ line, text });
    }
    return text;
  }
}

function swatch(colour: string): HTMLElement {
  const made = element("span", { class: "curve-swatch", "aria-hidden": "true" });
  made.style.setProperty("--swatch", `var(--${colour})`);
  return made;
}

function curveSummary({ own }: PickedCurve): string {
  return own === null
    ? "not in this recording"
    : `${KIND_NAMES[own.curve.sort]}, ${formatCount(own.curve.times.length, "key")}`;
}

function formatValue({ curve, recording, scale }: Line, time: number): string {
  const own = toLocalTime(recording, time);
  if (own < 0 || own > recording.info.durationSecs) {
    return "–";
  }
  const value = valueAt(curve, own);
  if (curve.sort === "bool") {
    return value > 0.5 ? "on" : "off";
  }
  return Number.isFinite(value) ? `${formatFixed(value, DIGITS)}${scale === "metres" ? " m" : ""}` : "not finite";
}
