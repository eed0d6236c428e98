/** Lighting of solid objects: a sky light, a light at the camera, and a bright rim. Without shadows, to be cheap. */

import { FrontSide, ShaderMaterial, type Side } from "three";
import type { SceneColors } from "./scene-colors";

/** Shared by all materials, so that a theme change updates all at once. */
const light = {
  skyLight: { value: 1 },
  groundLight: { value: 1 },
  lampLight: { value: 1 },
  rimLight: { value: 1 },
};

export function followLight({ isDark }: SceneColors): void {
  light.skyLight.value = isDark ? 0.66 : 0.8;
  light.groundLight.value = isDark ? 0.16 : 0.36;
  light.lampLight.value = isDark ? 0.5 : 0.42;
  light.rimLight.value = isDark ? 0.16 : 0.08;
}

const GHOST_OPACITY = 0.42;

const FRAGMENT = /* glsl */ `
  uniform float skyLight;
  uniform float groundLight;
  uniform float lampLight;
  uniform float rimLight;
  uniform float opacity;
  uniform float gloss;
  varying vec3 vNormal;
  varying vec3 vPaint;
  varying float vGlow;

  const vec3 LAMP = vec3(-0.37, 0.62, 0.69);
  const vec3 SHINE = vec3(-0.2, 0.34, 0.92);

  void main() {
    vec3 n = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
    float edge = 1.0 - clamp(n.z, 0.0, 1.0);
    float sky = 0.5 + 0.5 * dot(n, viewMatrix[1].xyz);
    float brightness = mix(groundLight, skyLight, sky) + lampLight * max(dot(n, LAMP), 0.0);
    float shine = rimLight * edge * edge * edge + gloss * pow(max(dot(n, SHINE), 0.0), 24.0);
    vec3 shaded = mix(vPaint * brightness + shine, vPaint, vGlow);
    // Ghosts are more opaque at their edges, which shows their shape.
    gl_FragColor = vec4(shaded, opacity < 1.0 ? opacity * (0.4 + edge) : 1.0);
    #include <colorspace_fragment>
  }
`;

type Uniforms = Readonly<Record<string, { value: unknown }>>;

/** A lit material. Its vertex shader sets `vNormal` in camera space, `vPaint`, and `vGlow`: 1 for unlit. */
export function solid(
  vertexShader: string,
  own: Uniforms,
  { gloss = 0, side = FrontSide as Side } = {},
): ShaderMaterial {
  const uniforms = { ...light, ...own, opacity: { value: 1 }, gloss: { value: gloss } };
  return new ShaderMaterial({ vertexShader, fragmentShader: FRAGMENT, uniforms, side });
}

/** A translucent material with two passes: the first writes depth only, so that inner surfaces stay hidden. */
export function ghost(vertexShader: string, own: Uniforms): ShaderMaterial[] {
  const [depth, faint] = [solid(vertexShader, own), solid(vertexShader, own)];
  depth.colorWrite = false;
  faint.uniforms.opacity = { value: GHOST_OPACITY };
  depth.transparent = faint.transparent = true;
  return [depth, faint];
}
