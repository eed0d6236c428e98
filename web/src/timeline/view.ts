/** The view state of the timeline: its size, its layout, and the marker that is being dragged. */

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type ListedMarker, type MovedMarker, markersOnPage } from "../markers";
import type { State } from "../state";
import { DifferenceSeries } from "./difference";
import { type Lane, lanesOf } from "./lanes";
import { type FlagLayout, layoutFlags } from "./marker-flags";
import { Scale } from "./scale";

export interface Size {
  readonly width: number;
  readonly ratio: number;
}

export class TimelineView {
  readonly size: Signal<Size> = signal({ width: 0, ratio: 1 });
  readonly moved: Signal<MovedMarker | null> = signal(null);
  readonly difference = new DifferenceSeries();

  readonly scale: ReadonlySignal<Scale>;
  readonly lanes: ReadonlySignal<readonly Lane[]>;
  /** Of the active recording, in page time. */
  readonly markers: ReadonlySignal<readonly ListedMarker[]>;
  readonly flags: ReadonlySignal<FlagLayout>;

  constructor(state: State) {
    this.scale = computed(() => new Scale(state.window.value, this.size.value.width));
    this.lanes = computed(() => lanesOf(state));
    this.markers = computed(() => markersOnPage(state.active.value, this.moved.value));
    this.flags = computed(() => layoutFlags(this.markers.value, this.scale.value, this.flagRows()));
  }

  laneAt(y: number): Lane | null {
    return this.lanes.value.find(({ top, height }) => y >= top && y < top + height) ?? null;
  }

  private flagRows(): number {
    const rows = this.lanes.value.map(({ content }) => (content.kind === "flags" ? content.rows : 0));
    return Math.max(...rows, 1);
  }
}

/** Updates with the width of an element and the device pixel ratio. */
export function followSize(element: HTMLElement, size: Signal<Size>): void {
  const measure = () => {
    const next = { width: element.clientWidth, ratio: window.devicePixelRatio };
    if (next.width !== size.value.width || next.ratio !== size.value.ratio) {
      size.value = next;
    }
  };
  new ResizeObserver(measure).observe(element);
  const followRatio = () => {
    measure();
    matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener("change", followRatio, { once: true });
  };
  followRatio();
}
