/** The colours of the style sheet, for three.js. */

import { Color } from "three";
import { colour, recordingColorName } from "../theme";

const WHITE = new Color("white");

export class SceneColors {
  private readonly colours = new Map<string, Color>();
  readonly isDark = luminance(this.of("ground")) < 0.2;
  readonly shadow = new Color("black");
  readonly visor = new Color(this.isDark ? "#20252f" : "#232934");
  readonly head = new Color(this.isDark ? "#7f8897" : "#c3c9d2");

  /** A colour of `base.css` by name. */
  of(name: string): Color {
    const color = this.colours.get(name) ?? new Color(colour(name));
    this.colours.set(name, color);
    return color;
  }

  ofRecording(colorIndex: number): Color {
    return this.of(recordingColorName(colorIndex));
  }

  /** Joints contrast with bones: lighter on a dark background, darker on a light one. */
  joint(of: Color, into: Color): Color {
    return this.isDark ? into.copy(of).lerp(WHITE, 0.35) : into.copy(of).multiplyScalar(0.8);
  }

  bone(of: Color, into: Color): Color {
    return this.isDark ? into.copy(of).multiplyScalar(0.72) : into.copy(of).lerp(WHITE, 0.16);
  }
}

function luminance({ r, g, b }: Color): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
