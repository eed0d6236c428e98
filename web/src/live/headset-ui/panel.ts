/** The panel in the headset: the status of the take, and two buttons for fingertips and rays. */

import {
  CanvasTexture,
  CircleGeometry,
  Group,
  LinearFilter,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Quaternion,
  Raycaster,
  SRGBColorSpace,
  Vector3,
} from "three";
import { HANDS, type Hand, jointIndex } from "../../recording/joints";
import type { FrameCapture } from "../capture";
import { POSE_FLOATS } from "../records";
import { PanelFollower } from "./follow";
import { buttonAt, PANEL_METRES, type PanelButton, PanelCanvas, type PanelText } from "./panel-canvas";
import { PokeDetector } from "./poke";

const INDEX_TIP = jointIndex("IndexTip");
const PRESS_HIGHLIGHT_SECS = 0.35;
/** Prevents a second press by a trembling ray or finger. */
export const PRESS_COOLDOWN_SECS = 0.5;

export class Panel {
  readonly group = new Group();
  private readonly canvas = new PanelCanvas();
  private readonly texture = new CanvasTexture(this.canvas.canvas);
  private readonly pointer = new Mesh(
    new CircleGeometry(0.004, 24),
    new MeshBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.9 }),
  );
  private readonly follower = new PanelFollower();
  private readonly pokes: Readonly<Record<Hand, PokeDetector>> = {
    left: new PokeDetector(),
    right: new PokeDetector(),
  };
  private pressed: PanelButton | null = null;
  private pressedSecs = Number.NEGATIVE_INFINITY;
  private rayTarget: PanelButton | null = null;
  private readonly surface: Mesh;
  private readonly raycaster = new Raycaster();
  private readonly matrix = new Matrix4();
  private readonly point = new Vector3();
  private readonly head = { position: new Vector3(), rotation: new Quaternion() };

  constructor(private readonly onPress: (button: PanelButton) => void) {
    this.texture.colorSpace = SRGBColorSpace;
    this.texture.minFilter = LinearFilter;
    this.texture.generateMipmaps = false;
    const plane = new PlaneGeometry(PANEL_METRES.width, PANEL_METRES.height);
    const material = new MeshBasicMaterial({ map: this.texture, transparent: true, toneMapped: false });
    this.surface = new Mesh(plane, material);
    this.pointer.position.z = 0.001;
    this.group.add(this.surface, this.pointer);
    this.group.visible = false;
  }

  /** Updates pose, input and text for a frame. */
  update(
    frame: XRFrame,
    space: XRReferenceSpace,
    capture: FrameCapture,
    text: PanelText,
    now: number,
    secs: number,
  ): void {
    this.updatePose(frame, space, secs);
    this.updatePokes(capture, now);
    this.updatePointer(frame, space);
    const highlighted = now - this.pressedSecs < PRESS_HIGHLIGHT_SECS ? this.pressed : null;
    const hovered = this.rayTarget ?? this.pokes.left.target ?? this.pokes.right.target;
    if (this.canvas.paint(text, hovered, highlighted)) {
      this.texture.needsUpdate = true;
    }
  }

  /** Handles a select event: presses the button that the ray hits, unless a fingertip is near the panel. */
  select(frame: XRFrame, space: XRReferenceSpace, source: XRInputSource, now: number): void {
    const point = this.isTouched ? null : this.intersectRay(frame, space, source);
    const button = point && buttonAt(point.x, point.y);
    if (button !== null) {
      this.press(button, now);
    }
  }

  /** Hides the panel until the next frame puts it in front of the head. */
  reset(): void {
    this.follower.reset();
    this.group.visible = false;
  }

  private get isTouched(): boolean {
    return HANDS.some((hand) => this.pokes[hand].isNear);
  }

  private updatePose(frame: XRFrame, space: XRReferenceSpace, secs: number): void {
    const pose = frame.getViewerPose(space);
    if (!pose) {
      return;
    }
    const { position: p, orientation: q } = pose.transform;
    this.head.position.set(p.x, p.y, p.z);
    this.head.rotation.set(q.x, q.y, q.z, q.w);
    this.follower.update(this.head, secs, this.isTouched);
    this.group.position.copy(this.follower.position);
    this.group.quaternion.copy(this.follower.rotation);
    this.group.visible = true;
    this.group.updateMatrixWorld();
  }

  private updatePokes({ hands }: FrameCapture, now: number): void {
    for (const hand of HANDS) {
      const poke = this.pokes[hand];
      const { isTracked, reader } = hands[hand];
      if (!isTracked) {
        poke.reset();
        continue;
      }
      const from = INDEX_TIP * POSE_FLOATS;
      const { joints } = reader;
      this.point.set(joints[from] ?? 0, joints[from + 1] ?? 0, -(joints[from + 2] ?? 0));
      const { x, y, z } = this.group.worldToLocal(this.point);
      const button = poke.update(x, y, z);
      if (button !== null) {
        this.press(button, now);
      }
    }
  }

  /** Shows the point where a ray hits the panel. */
  private updatePointer(frame: XRFrame, space: XRReferenceSpace): void {
    this.rayTarget = null;
    this.pointer.visible = false;
    if (this.isTouched) {
      return;
    }
    for (const source of frame.session.inputSources) {
      const point = source.targetRayMode === "tracked-pointer" ? this.intersectRay(frame, space, source) : null;
      if (point !== null) {
        this.pointer.visible = true;
        this.pointer.position.set(point.x, point.y, this.pointer.position.z);
        this.rayTarget = buttonAt(point.x, point.y);
        return;
      }
    }
  }

  /** The point where a ray hits the front of the panel, relative to its centre; `null` if it does not. */
  private intersectRay(frame: XRFrame, space: XRReferenceSpace, source: XRInputSource): Vector3 | null {
    const pose = frame.getPose(source.targetRaySpace, space);
    if (!pose || !this.group.visible) {
      return null;
    }
    this.matrix.fromArray(pose.transform.matrix);
    this.raycaster.ray.origin.setFromMatrixPosition(this.matrix);
    this.raycaster.ray.direction.set(0, 0, -1).transformDirection(this.matrix);
    const [hit] = this.raycaster.intersectObject(this.surface);
    return hit === undefined ? null : this.group.worldToLocal(hit.point);
  }

  private press(button: PanelButton, now: number): void {
    if (now - this.pressedSecs >= PRESS_COOLDOWN_SECS) {
      this.pressed = button;
      this.pressedSecs = now;
      this.onPress(button);
    }
  }
}
