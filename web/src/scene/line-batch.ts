/** Lines of any width whose opacity is interpolated between their ends, updated in every frame. */

import { type Color, Vector2, Vector3 } from "three";
import { Quads } from "./quads";

/** The size of the viewport in CSS pixels, updated by `RenderLoop`. */
export const viewportSize = { value: new Vector2(1, 1) };
/** The size of a drawn pixel in CSS pixels. */
export const pixelSize = { value: 1 };

const COLUMNS = { from: 3, to: 3, paint: 3, alphas: 2, thickness: 1 };

const VERTEX = /* glsl */ `
  uniform vec2 pictureSize;
  uniform float pixelSize;
  varying vec4 vPaint;
  varying float vAcross;
  varying float vHalf;

  const float NEAR = -0.01;

  void main() {
    vec3 a = (modelViewMatrix * vec4(from, 1.0)).xyz;
    vec3 b = (modelViewMatrix * vec4(to, 1.0)).xyz;
    // Clips lines at the near plane.
    vec3 cutA = a.z > NEAR && b.z < NEAR ? mix(a, b, (NEAR - a.z) / (b.z - a.z)) : a;
    vec3 cutB = b.z > NEAR && a.z < NEAR ? mix(b, a, (NEAR - b.z) / (a.z - b.z)) : b;
    vec4 clipA = projectionMatrix * vec4(cutA, 1.0);
    vec4 clipB = projectionMatrix * vec4(cutB, 1.0);
    vec2 along = (clipB.xy / clipB.w - clipA.xy / clipA.w) * pictureSize;
    float span = length(along);
    vec2 direction = span > 1e-4 ? along / span : vec2(1.0, 0.0);
    float t = 0.5 + 0.5 * position.x;
    vec4 clip = mix(clipA, clipB, t);
    // Thinner lines would have gaps: draw them one pixel wide and more transparent, plus a pixel for antialiasing.
    float width = max(thickness, pixelSize);
    vHalf = 0.5 * width / pixelSize;
    vAcross = position.y * (vHalf + 1.0);
    clip.xy += vec2(-direction.y, direction.x) * vAcross * pixelSize * 2.0 / pictureSize * clip.w;
    gl_Position = clip;
    vPaint = vec4(paint, mix(alphas.x, alphas.y, t) * thickness / width);
  }
`;

const FRAGMENT = /* glsl */ `
  varying vec4 vPaint;
  varying float vAcross;
  varying float vHalf;

  void main() {
    float cover = clamp(vHalf + 0.5 - abs(vAcross), 0.0, 1.0);
    gl_FragColor = vec4(vPaint.rgb, vPaint.a * cover);
    #include <colorspace_fragment>
  }
`;

export class LineBatch extends Quads {
  private readonly last = new Vector3();
  private readonly current = new Vector3();

  /** Lines beyond the capacity are dropped. `onTop`: drawn over everything else. */
  constructor(capacity: number, onTop = false) {
    const uniforms = { pictureSize: viewportSize, pixelSize };
    super(capacity, COLUMNS, onTop, { vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms });
    this.mesh.renderOrder = onTop ? 3 : 1;
  }

  /** `thickness` in CSS pixels. */
  line(from: Vector3, to: Vector3, paint: Color, fromAlpha: number, toAlpha: number, thickness: number): void {
    const { r, g, b } = paint;
    this.addRow(from.x, from.y, from.z, to.x, to.y, to.z, r, g, b, fromAlpha, toAlpha, thickness);
  }

  /**
   * A line through points whose opacity increases from 0 to `alpha`. `at` writes a point and returns whether it exists; missing points
   * leave gaps.
   */
  fading(
    count: number,
    at: (n: number, into: Vector3) => boolean,
    paint: Color,
    alpha: number,
    thickness: number,
  ): void {
    const alphaAt = (n: number) => alpha * (n / (count - 1)) ** 2;
    let hasLast = false;
    for (let n = 0; n < count; n++) {
      const has = at(n, this.current);
      if (has && hasLast) {
        this.line(this.last, this.current, paint, alphaAt(n - 1), alphaAt(n), thickness);
      }
      this.last.copy(this.current);
      hasLast = has;
    }
  }
}
