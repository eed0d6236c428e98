/** A line with the time under the pointer, and a tooltip. */

import { effect, type Signal, signal } from "@preact/signals";
import type { App } from "../app";
import { element } from "../dom";
import { clockTime } from "./format";
import { describeHit, type Hit, hitAt } from "./hits";
import { type Point, pointOf } from "./pointer";
import type { TimelineView } from "./view";

const TIP_HALF_WIDTH = 140;
/** Closer to the right edge, the time is shown left of the line. */
const TIME_LABEL_WIDTH = 76;
const MIN_TIP_TOP = 44;

export function mountHover(lanes: HTMLElement, app: App, view: TimelineView): void {
  const at: Signal<Point | null> = signal(null);
  const time = element("div", { class: "hover-time numbers" });
  const line = element("div", { class: "hover-line", hidden: true, "aria-hidden": "true" }, time);
  const tip = element("div", { class: "hover-tip", hidden: true, "aria-hidden": "true" });
  lanes.append(line, tip);
  followPointer(lanes, at);
  effect(() => {
    const point = at.value;
    const hit = point && hitAt(view, point);
    line.hidden = point === null;
    tip.hidden = hit === null;
    lanes.style.cursor = cursorFor(hit, app.canEdit);
    if (point === null) {
      return;
    }
    line.style.transform = `translateX(${point.x}px)`;
    time.textContent = clockTime(view.scale.value.timeWithin(point.x));
    time.classList.toggle("leaning", point.x > view.scale.value.width - TIME_LABEL_WIDTH);
    if (hit !== null) {
      tip.textContent = describeHit(hit);
      placeTip(tip, point, view);
    }
  });
}

function followPointer(lanes: HTMLElement, at: Signal<Point | null>): void {
  lanes.addEventListener("pointermove", (event) => {
    const isHovering = event.pointerType === "mouse" && event.buttons === 0;
    at.value = isHovering && !isOnHandle(event) ? pointOf(event, lanes) : null;
  });
  const leave = () => {
    at.value = null;
  };
  lanes.addEventListener("pointerleave", leave);
  lanes.addEventListener("pointerdown", leave);
}

function isOnHandle(event: Event): boolean {
  return event.target instanceof Element && event.target.closest(".range-handle") !== null;
}

function cursorFor(hit: Hit | null, isEditing: boolean): string {
  const isMovable = hit?.kind === "strip" || (hit?.kind === "marker" && isEditing);
  const isClickable = hit?.kind === "marker" || hit?.kind === "finding";
  return isMovable ? "grab" : isClickable ? "pointer" : "default";
}

/** Puts the tooltip above the lane, or below it if there is no space. */
function placeTip(tip: HTMLElement, { x, y }: Point, view: TimelineView): void {
  const { top, height } = view.laneAt(y) ?? { top: y, height: 0 };
  const isBelow = top < MIN_TIP_TOP;
  const maxLeft = Math.max(view.scale.value.width - TIP_HALF_WIDTH, TIP_HALF_WIDTH);
  tip.style.left = `${Math.min(Math.max(x, TIP_HALF_WIDTH), maxLeft)}px`;
  tip.style.top = `${isBelow ? top + height + 3 : top - 3}px`;
  tip.classList.toggle("under", isBelow);
}
