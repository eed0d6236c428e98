/** Content and layout of the headset panel: drawn on a canvas, with button areas in metres. */

import type { Connection } from "../uplink-types";

export type PanelButton = "marker" | "stop";

export interface PanelText {
  readonly time: string;
  readonly frames: string;
  readonly connection: Connection;
  /** A description of the connection. */
  readonly state: string;
  readonly marker: string;
  /** Empty if there is none. Shown instead of the marker. */
  readonly warning: string;
}

/** A rectangle on the panel in metres from its centre, y up. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const PANEL_METRES = { width: 0.24, height: 0.135 };
const PIXELS_PER_METRE = 4000;
const [WIDTH, HEIGHT] = [PANEL_METRES.width * PIXELS_PER_METRE, PANEL_METRES.height * PIXELS_PER_METRE];

/** Large enough for a fingertip without tactile feedback. */
const AREAS: Readonly<Record<PanelButton, Area>> = {
  marker: { x: -0.057, y: -0.036, width: 0.106, height: 0.045 },
  stop: { x: 0.057, y: -0.036, width: 0.106, height: 0.045 },
};
const LABELS: Readonly<Record<PanelButton, string>> = { marker: "Marker", stop: "Stop" };
const BUTTONS: readonly PanelButton[] = ["marker", "stop"];

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const PANEL_COLORS = {
  background: "#14161af0",
  edge: "#454d5a",
  text: "#f2f4f8",
  muted: "#aab3c0",
  recording: "#ff5f68",
  warning: "#f0c14b",
  button: "#2b313b",
  hovered: "#3d4654",
  pressed: "#6ea4ff",
  onPressed: "#0d1524",
};
const STATE_COLORS: Readonly<Record<Connection, string>> = {
  connected: "#63cf85",
  connecting: PANEL_COLORS.warning,
  lost: PANEL_COLORS.warning,
};

const WARNING_PIXELS = 32;
/** More do not fit above the buttons. */
const MAX_WARNING_LINES = 3;

/** The button at a position on the panel, in metres from its centre. */
export function buttonAt(x: number, y: number): PanelButton | null {
  const isInside = (button: PanelButton) => {
    const area = AREAS[button];
    return Math.abs(x - area.x) <= area.width / 2 && Math.abs(y - area.y) <= area.height / 2;
  };
  return BUTTONS.find(isInside) ?? null;
}

/** The centre of a button, in metres from that of the panel. */
export function centreOf(button: PanelButton): readonly [number, number] {
  return [AREAS[button].x, AREAS[button].y];
}

export class PanelCanvas {
  readonly canvas = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  private shown = "";

  constructor() {
    this.canvas.width = WIDTH;
    this.canvas.height = HEIGHT;
    const context = this.canvas.getContext("2d");
    if (context === null) {
      throw new Error("canvas is not available in this browser");
    }
    this.context = context;
  }

  /** Redraws the canvas if anything has changed. Returns whether it did. */
  paint(text: PanelText, hovered: PanelButton | null, pressed: PanelButton | null): boolean {
    const key = `${Object.values(text).join("\n")}\n${hovered}\n${pressed}`;
    if (key === this.shown) {
      return false;
    }
    this.shown = key;
    this.context.clearRect(0, 0, WIDTH, HEIGHT);
    this.box(0, 0, WIDTH, HEIGHT, 36, PANEL_COLORS.background, PANEL_COLORS.edge);
    this.status(text);
    for (const button of BUTTONS) {
      this.button(button, button === hovered, button === pressed);
    }
    return true;
  }

  private status({ time, frames, connection, state, marker, warning }: PanelText): void {
    const { context } = this;
    context.fillStyle = PANEL_COLORS.recording;
    context.beginPath();
    context.arc(62, 76, 21, 0, 2 * Math.PI);
    context.fill();
    this.text(time, 100, 78, 84, PANEL_COLORS.text, "left", 650);
    this.text(frames, WIDTH - 44, 78, 46, PANEL_COLORS.muted, "right");
    this.text(state, 44, 152, 48, STATE_COLORS[connection], "left", 550);
    if (warning === "") {
      this.text(marker, 44, 224, 44, PANEL_COLORS.muted, "left");
    }
    for (const [n, line] of this.wrap(warning).entries()) {
      this.text(line, 44, 206 + 40 * n, WARNING_PIXELS, PANEL_COLORS.warning, "left");
    }
  }

  /** Breaks a text between words. What exceeds the last line is cut off. */
  private wrap(text: string): string[] {
    this.context.font = `450 ${WARNING_PIXELS}px ${FONT}`;
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = `${lines.at(-1)} ${word}`.trimStart();
      if (this.context.measureText(longer).width <= WIDTH - 84) {
        lines[lines.length - 1] = longer;
      } else {
        lines.push(word);
      }
    }
    const shown = lines.slice(0, MAX_WARNING_LINES);
    return lines.length > shown.length ? [...shown.slice(0, -1), `${shown.at(-1)} …`] : shown;
  }

  private button(button: PanelButton, isHovered: boolean, isPressed: boolean): void {
    const { x, y, width, height } = AREAS[button];
    const left = (x - width / 2 + PANEL_METRES.width / 2) * PIXELS_PER_METRE;
    const top = (PANEL_METRES.height / 2 - y - height / 2) * PIXELS_PER_METRE;
    const [w, h] = [width * PIXELS_PER_METRE, height * PIXELS_PER_METRE];
    const fill = isPressed ? PANEL_COLORS.pressed : isHovered ? PANEL_COLORS.hovered : PANEL_COLORS.button;
    this.box(left, top, w, h, 26, fill, isHovered ? PANEL_COLORS.text : PANEL_COLORS.edge);
    const color = isPressed ? PANEL_COLORS.onPressed : PANEL_COLORS.text;
    this.text(LABELS[button], left + w / 2, top + h / 2, 54, color, "center", 600);
  }

  private box(x: number, y: number, width: number, height: number, radius: number, fill: string, edge: string): void {
    const { context } = this;
    context.beginPath();
    context.roundRect(x + 2, y + 2, width - 4, height - 4, radius);
    context.fillStyle = fill;
    context.fill();
    context.lineWidth = 4;
    context.strokeStyle = edge;
    context.stroke();
  }

  private text(
    text: string,
    x: number,
    y: number,
    size: number,
    color: string,
    align: CanvasTextAlign,
    weight = 450,
  ): void {
    const { context } = this;
    context.font = `${weight} ${size}px ${FONT}`;
    context.fillStyle = color;
    context.textAlign = align;
    context.textBaseline = "middle";
    context.fillText(text, x, y, WIDTH - x - 40 > 0 && align === "left" ? WIDTH - x - 40 : WIDTH);
  }
}
