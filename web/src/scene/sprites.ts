/** Round marks: dots, rings and glows that face the viewer, or lie flat on the floor. Drawn anew for each frame. */

import { type Color, ShaderMaterial, type Vector3 } from "three";
import { Quads } from "./quads";

const COLUMNS = [
  ["centre", 3],
  ["radius", 1],
  ["paint", 4],
  ["inner", 1],
  ["softness", 1],
  ["largest", 1],
] as const;

const VERTEX = /* glsl */ `
  attribute vec3 centre;
  attribute float radius;
  attribute vec4 paint;
  attribute float inner;
  attribute float softness;
  attribute float largest;
  varying vec2 vPlace;
  varying vec4 vPaint;
  varying vec2 vStyle;

  void main() {
    #ifdef FLAT
      vec4 place = modelViewMatrix * vec4(centre + vec3(position.x, 0.0, -position.y) * radius, 1.0);
    #else
      vec4 place = modelViewMatrix * vec4(centre, 1.0);
      place.xy += position.xy * min(radius, largest * -place.z);
    #endif
    gl_Position = projectionMatrix * place;
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
  /** Where a ring begins, as a share of the radius; 0 for a dot. */
  readonly inner: number;
  /** How far the edge fades, as a share of the radius; 0 for a sharp one. */
  readonly softness: number;
  /** As a share of the distance to the viewer: nearer by, the mark is drawn smaller than it is. */
  readonly maxPerMetre?: number;
}

export const DOT: SpriteStyle = { inner: 0, softness: 0 };
export const GLOW: SpriteStyle = { inner: 0, softness: 1 };
export const RING: SpriteStyle = { inner: 0.84, softness: 0 };

export class SpriteBatch {
  private readonly quads: Quads;

  /** Marks beyond the capacity are left out. `flat`: on the floor; `onTop`: nothing hides them. */
  constructor(capacity: number, placement: "facing" | "flat" | "onTop" = "facing") {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      defines: placement === "flat" ? { FLAT: "" } : {},
      transparent: true,
      depthWrite: false,
      depthTest: placement !== "onTop",
    });
    this.quads = new Quads(material, COLUMNS, capacity);
    this.mesh.renderOrder = placement === "onTop" ? 4 : placement === "flat" ? -1 : 2;
  }

  get mesh() {
    return this.quads.mesh;
  }

  clear(): void {
    this.quads.clear();
  }

  /** The radius in metres. */
  add(
    { x, y, z }: Vector3,
    radius: number,
    { r, g, b }: Color,
    alpha: number,
    { inner, softness, maxPerMetre = 1 }: SpriteStyle,
  ): void {
    this.quads.add(x, y, z, radius, r, g, b, alpha, inner, softness, maxPerMetre);
  }

  commit(): void {
    this.quads.commit();
  }

  dispose(): void {
    this.quads.dispose();
  }
}
