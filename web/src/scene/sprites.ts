/** Round sprites: dots, rings and glows that face the camera or lie on the floor, updated in every frame. */

import type { Color, Vector3 } from "three";
import { Quads } from "./quads";

const COLUMNS = { centre: 3, radius: 1, paint: 4, inner: 1, softness: 1, largest: 1 };

const VERTEX = /* glsl */ `
  varying vec2 vPlace;
  varying vec4 vPaint;
  varying vec2 vStyle;

  void main() {
    #ifdef FLAT
      vec4 centreInView = modelViewMatrix * vec4(centre + vec3(position.x, 0.0, -position.y) * radius, 1.0);
    #else
      vec4 centreInView = modelViewMatrix * vec4(centre, 1.0);
      centreInView.xy += position.xy * min(radius, largest * -centreInView.z);
    #endif
    gl_Position = projectionMatrix * centreInView;
    vPlace = position.xy;
    vPaint = paint;
    vStyle = vec2(inner, softness);
  }
`;

const FRAGMENT = /* glsl */ `
  varying vec2 vPlace;
  varying vec4 vPaint;
  varying vec2 vStyle;

  void main() {
    float away = length(vPlace);
    float edge = max(vStyle.y, fwidth(away));
    float cover = 1.0 - smoothstep(1.0 - edge, 1.0, away);
    cover *= vStyle.x > 0.0 ? smoothstep(vStyle.x - edge, vStyle.x, away) : 1.0;
    gl_FragColor = vec4(vPaint.rgb, vPaint.a * cover);
    #include <colorspace_fragment>
  }
`;

export interface SpriteStyle {
  /** The inner radius of a ring, as a fraction of the radius; 0 for a dot. */
  readonly inner: number;
  /** The width of the faded edge, as a fraction of the radius; 0 for a sharp edge. */
  readonly softness: number;
  /** The maximum radius per metre of distance to the camera. */
  readonly maxPerMetre?: number;
}

export const DOT: SpriteStyle = { inner: 0, softness: 0 };
export const GLOW: SpriteStyle = { inner: 0, softness: 1 };
export const RING: SpriteStyle = { inner: 0.84, softness: 0 };

export class SpriteBatch extends Quads {
  /** Sprites beyond the capacity are dropped. `flat`: on the floor; `onTop`: drawn over everything else. */
  constructor(capacity: number, placement: "facing" | "flat" | "onTop" = "facing") {
    const defines = placement === "flat" ? { FLAT: "" } : {};
    super(capacity, COLUMNS, placement === "onTop", { vertexShader: VERTEX, fragmentShader: FRAGMENT, defines });
    this.mesh.renderOrder = placement === "onTop" ? 4 : placement === "flat" ? -1 : 2;
  }

  /** `radius` in metres. */
  add(
    { x, y, z }: Vector3,
    radius: number,
    { r, g, b }: Color,
    alpha: number,
    { inner, softness, maxPerMetre = 1 }: SpriteStyle,
  ): void {
    this.addRow(x, y, z, radius, r, g, b, alpha, inner, softness, maxPerMetre);
  }
}
