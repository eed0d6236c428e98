/** A chart of curves, drawn with uPlot. */

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
    /** Called after every redraw, because the plot area can have moved. */
    private readonly onDrawn: () => void,
  ) {}

  /** The element over the plot area; `null` while there are no lines. */
  get over(): HTMLElement | null {
    return this.plot?.over ?? null;
  }

  /** Replaces the lines. */
  show(lines: readonly Line[]): void {
    this.plot?.destroy();
    this.plot = null;
    this.lines = lines;
    const { clientWidth: width, clientHeight: height } = this.host;
    if (lines.length > 0 && width > 0 && height > 0) {
      this.plot = new uPlot({ width, height, ...this.options() }, this.data(), this.host);
    }
  }

  /** Redraws the lines for the current window. */
  refresh(): void {
    this.plot?.setData(this.data());
  }

  /** The points for each pixel column of the host. uPlot knows the slightly smaller plot area only after layout. */
  private data(): uPlot.AlignedData {
    const { clientWidth, clientHeight } = this.host;
    const columns = columnsOf(this.window(), clientWidth);
    return [timesOf(columns), ...pointsOf(this.lines, columns, clientHeight)];
  }

  /** Resizes the chart to its host, or creates it if the host had no size before. */
  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (this.plot === null) {
      this.show(this.lines);
    } else if (width > 0 && height > 0 && (this.plot.width !== width || this.plot.height !== height)) {
      this.plot.setSize({ width, height });
      this.refresh();
    }
  }

  /** Highlights the lines of a curve; `null` ends the highlight. */
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
      // uPlot only lays out the series; `CurveRenderer` draws them.
      series: [{}, ...lines.map(({ scale }) => ({ scale, paths: () => null, points: { show: false } }))],
      hooks: { draw: [draw] },
    };
  }
}
