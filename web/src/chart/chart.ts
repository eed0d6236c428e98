/** The chart itself: lines in a window of time. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Span } from "../api";
import { colour } from "../theme";
import { axesOf, paddingOf, scalesOf } from "./axes";
import { columnsOf, timesOf } from "./columns";
import type { Line } from "./lines";
import { pointsOf } from "./points";
import { CurveRenderer } from "./renderer";

export class Chart {
  private readonly renderer = new CurveRenderer();
  private plot: uPlot | null = null;
  private lines: readonly Line[] = [];

  constructor(
    private readonly host: HTMLElement,
    private readonly window: () => Span,
    /** Called when the lines are drawn anew, perhaps in another place. */
    private readonly onDrawn: () => void,
  ) {}

  /** The element over the lines; nothing while there are none. */
  get over(): HTMLElement | null {
    return this.plot?.over ?? null;
  }

  /** Draws other lines, or the same in other colours. */
  show(lines: readonly Line[]): void {
    this.plot?.destroy();
    this.plot = null;
    this.lines = lines;
    const { clientWidth: width, clientHeight: height } = this.host;
    if (lines.length > 0 && width > 0 && height > 0) {
      this.plot = new uPlot({ width, height, ...this.options() }, this.data(), this.host);
    }
  }

  /** Draws the same lines in what is the window by now. */
  refresh(): void {
    this.plot?.setData(this.data());
  }

  /** For the pixels of the host, which has a few more than the lines: how wide the axes are, uPlot knows only when it draws. */
  private data(): uPlot.AlignedData {
    const { clientWidth, clientHeight } = this.host;
    const columns = columnsOf(this.window(), clientWidth);
    return [timesOf(columns), ...pointsOf(this.lines, columns, clientHeight)];
  }

  /** Fits the chart into its host, which may have appeared only now. */
  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (this.plot === null) {
      this.show(this.lines);
    } else if (width > 0 && height > 0 && (this.plot.width !== width || this.plot.height !== height)) {
      this.plot.setSize({ width, height });
      this.refresh();
    }
  }

  /** Points out the lines of a curve, or none. */
  focus(name: string | null): void {
    this.renderer.focus = name;
    this.plot?.redraw(false);
  }

  private options(): Omit<uPlot.Options, "width" | "height"> {
    const { lines, window } = this;
    const strokes = lines.map((line) => ({ line, colour: colour(line.colour) }));
    const draw = (plot: uPlot) => {
      this.renderer.draw(plot, strokes, window());
      this.onDrawn();
    };
    return {
      padding: paddingOf(lines),
      legend: { show: false },
      cursor: { show: false },
      scales: scalesOf(lines, window),
      axes: axesOf(lines),
      // The chart only measures them; ink draws them.
      series: [{}, ...lines.map(({ scale }) => ({ scale, paths: () => null, points: { show: false } }))],
      hooks: { draw: [draw] },
    };
  }
}
