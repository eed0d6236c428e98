/** The view of the head: a headset, and a faint frame in the viewing direction. */

import {
  type BufferGeometry,
  Color,
  DoubleSide,
  FrontSide,
  Group,
  Mesh,
  type ShaderMaterial,
  type Side,
  Vector3,
} from "three";
import { isDrawablePose } from "../recording/drawable";
import type { Pose } from "../recording/sampler";
import { HEAD_MESH, HEADBAND_MESH, VISOR } from "./headset-mesh";
import type { LineBatch } from "./line-batch";
import { solid } from "./shading";
import { rotationToScene, toScene } from "./space";

const VERTEX = /* glsl */ `
  uniform vec3 paint;
  varying vec3 vNormal;
  varying vec3 vPaint;
  varying float vGlow;

  void main() {
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    vNormal = normalMatrix * normal;
    vPaint = paint;
    vGlow = 0.0;
  }
`;

/** The frame only shows a direction: recordings do not contain the field of view. */
const VIEW_CORNERS_METRES = [
  new Vector3(0.17, 0.105, -0.42),
  new Vector3(0.17, -0.105, -0.42),
  new Vector3(-0.17, -0.105, -0.42),
  new Vector3(-0.17, 0.105, -0.42),
];

export interface HeadStyle {
  /** `null` for a headset without a head. */
  readonly form: Color | null;
  readonly visor: Color;
  readonly frame: Color;
  readonly view: Color;
}

export class HeadView {
  readonly group = new Group();
  private readonly form = part(HEAD_MESH, 0);
  private readonly visor = part(VISOR, 0.5, DoubleSide);
  private readonly frame = part(HEADBAND_MESH, 0.08);

  constructor() {
    this.group.add(this.form, this.visor, this.frame);
  }

  /** Returns whether the head is visible. */
  setPose(pose: Pose | null): boolean {
    const isVisible = pose !== null && isDrawablePose(pose);
    this.group.visible = isVisible;
    if (isVisible) {
      toScene(pose.position, this.group.position);
      rotationToScene(pose.rotation, this.group.quaternion);
    }
    return isVisible;
  }

  get position(): Vector3 {
    return this.group.position;
  }

  /** Sets the colours, and draws the view frame unless in first person. */
  paint(style: HeadStyle, lines: LineBatch, isFirstPerson: boolean): void {
    for (const name of ["form", "visor", "frame"] as const) {
      const paint = style[name];
      this[name].visible = paint !== null && !isFirstPerson;
      paintOf(this[name]).copy(paint ?? style.frame);
    }
    if (!isFirstPerson) {
      this.drawView(style.view, lines);
    }
  }

  dispose(): void {
    for (const { material } of [this.form, this.visor, this.frame]) {
      material.dispose();
    }
  }

  private drawView(paint: Color, lines: LineBatch): void {
    const { position, quaternion } = this.group;
    const corners = VIEW_CORNERS_METRES.map((corner) => corner.clone().applyQuaternion(quaternion).add(position));
    for (const [n, corner] of corners.entries()) {
      lines.line(corners.at(n - 1) ?? corner, corner, paint, 0.4, 0.4, 1);
      lines.line(position, corner, paint, 0.05, 0.4, 1);
    }
  }
}

function part(shape: BufferGeometry, gloss: number, side: Side = FrontSide): Mesh<BufferGeometry, ShaderMaterial> {
  return new Mesh(shape, solid(VERTEX, { paint: { value: new Color() } }, { gloss, side }));
}

function paintOf({ material }: Mesh<BufferGeometry, ShaderMaterial>): Color {
  return material.uniforms.paint?.value ?? new Color();
}
