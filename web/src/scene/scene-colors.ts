/** The colours of the style sheet, for three.js. */

import { Color } from "three";
import { colour, recordingColorName } from "../theme";

const NAMES = [
  "ground",
  "muted",
  "accent",
  "left",
  "right",
  "gaze",
  "head",
  "marker",
  "ok",
  "warning",
  "error",
] as const;
type Name = (typeof NAMES)[number];

const WHITE = new Color("white");

export class SceneColors {
  private readonly colours: Readonly<Record<Name, Color>>;
  private readonly recordingColors = new Map<string, Color>();
  readonly isDark: boolean;
  readonly shadow = new Color("black");
  readonly visor: Color;
  readonly head: Color;

  constructor() {
    const entries = NAMES.map((name) => [name, read(name)] as const);
    this.colours = Object.fromEntries(entries) as Record<Name, Color>;
    this.isDark = luminance(this.of("ground")) < 0.2;
    this.visor = new Color(this.isDark ? "#20252f" : "#232934");
    this.head = new Color(this.isDark ? "#7f8897" : "#c3c9d2");
  }

  of(name: Name): Color {
    return this.colours[name];
  }

  /** Joints contrast with bones: lighter on a dark background, darker on a light one. */
  joint(of: Color, into: Color): Color {
    return this.isDark ? into.copy(of).lerp(WHITE, 0.35) : into.copy(of).multiplyScalar(0.8);
  }

  bone(of: Color, into: Color): Color {
    return this.isDark ? into.copy(of).multiplyScalar(0.72) : into.copy(of).lerp(WHITE, 0.16);
  }

  ofRecording(colorIndex: number): Color {
    const name = recordingColorName(colorIndex);
    const color = this.recordingColors.get(name) ?? read(name);
    this.recordingColors.set(name, color);
    return color;
  }

  /** A gradient from the "ok" colour over "warning" to "error". */
  heat(fraction: number, into: Color): Color {
    const [from, to] = fraction < 0.5 ? (["ok", "warning"] as const) : (["warning", "error"] as const);
    return into.lerpColors(this.of(from), this.of(to), fraction < 0.5 ? 2 * fraction : 2 * fraction - 1);
  }
}

function read(name: string): Color {
  return new Color(colour(name));
}

function luminance({ r, g, b }: Color): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
