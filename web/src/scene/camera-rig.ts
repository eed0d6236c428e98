/** The cameras: orbiting the motion, following the head, and first person. */

import { type Box3, type Object3D, PerspectiveCamera, type Quaternion, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { CameraMode } from "../state";

const ORBIT_DEGREES = 36;
/** Wider than a display, like human vision. */
const HEAD_DEGREES = 68;
const NEAR_METRES = 0.02;
const FAR_METRES = 100;
const FOLLOW_METRES = { nearest: 0.8, farthest: 2.2 };
/** The corners of a bounding box are mostly empty, so it may slightly exceed the viewport. */
const FRAMING_FACTOR = 0.96;
const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => new Vector3(x, y, z))));

export class CameraRig {
  private readonly orbit = new PerspectiveCamera(ORBIT_DEGREES, 1, NEAR_METRES, FAR_METRES);
  private readonly head = new PerspectiveCamera(HEAD_DEGREES, 1, NEAR_METRES, FAR_METRES);
  /** Disabled in first person. */
  readonly controls: OrbitControls;
  private readonly followed = new Vector3();
  private readonly step = new Vector3();
  private mode: CameraMode = "orbit";
  /** The orbit before the camera followed the head. */
  private savedOrbit: { readonly position: Vector3; readonly target: Vector3 } | null = null;

  constructor(canvas: HTMLCanvasElement, onChange: () => void) {
    this.controls = new OrbitControls(this.orbit, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.minDistance = 0.1;
    this.controls.maxDistance = 30;
    this.controls.addEventListener("change", onChange);
  }

  /** Updates and returns the camera for a mode. Without a head, this is the orbit camera. */
  camera(mode: CameraMode, head: Object3D | null, aspect: number): PerspectiveCamera {
    if (mode !== "follow") {
      this.restoreOrbit();
    } else if (head !== null) {
      this.follow(head.getWorldPosition(new Vector3()));
    }
    this.mode = mode;
    this.controls.enabled = mode !== "head";
    this.controls.update();
    const camera = head !== null && mode === "head" ? this.head : this.orbit;
    if (camera === this.head) {
      head?.getWorldPosition(camera.position);
      head?.getWorldQuaternion(camera.quaternion);
    }
    if (camera.aspect !== aspect) {
      camera.aspect = aspect;
      camera.updateProjectionMatrix();
    }
    camera.updateMatrixWorld();
    return camera;
  }

  /** Frames a box from a direction, or from the current one if `from` is `null`. */
  frame(box: Box3, aspect: number, from: Vector3 | null): void {
    // Ends the motion of a previous gesture.
    this.controls.enableDamping = false;
    this.controls.update();
    this.controls.enableDamping = true;
    const direction = (from?.clone() ?? this.direction(new Vector3())).normalize();
    const centre = box.getCenter(this.controls.target);
    this.orbit.position.copy(centre).add(direction);
    this.orbit.lookAt(centre);
    const away = FRAMING_FACTOR * framingDistance(box, this.orbit.quaternion, aspect);
    this.orbit.position.copy(centre).addScaledVector(direction, away);
    this.controls.update();
    // The next frame in follow mode moves close to the head again.
    this.mode = "orbit";
    this.savedOrbit = null;
  }

  /** From the target to the camera. */
  private direction(into: Vector3): Vector3 {
    return into.subVectors(this.orbit.position, this.controls.target);
  }

  /** Moves with the head; first moves close to it. */
  private follow(position: Vector3): void {
    if (this.mode !== "follow") {
      this.savedOrbit ??= { position: this.orbit.position.clone(), target: this.controls.target.clone() };
      const { nearest, farthest } = FOLLOW_METRES;
      this.direction(this.step).clampLength(nearest, farthest);
      this.controls.target.copy(position);
      this.orbit.position.addVectors(position, this.step);
    } else {
      this.step.subVectors(position, this.followed);
      this.controls.target.add(this.step);
      this.orbit.position.add(this.step);
    }
    this.followed.copy(position);
  }

  private restoreOrbit(): void {
    if (this.savedOrbit !== null) {
      this.orbit.position.copy(this.savedOrbit.position);
      this.controls.target.copy(this.savedOrbit.target);
      this.savedOrbit = null;
    }
  }
}

/** The distance at which all corners of a box are visible, looking at its centre. */
function framingDistance(box: Box3, turn: Quaternion, aspect: number): number {
  const half = box.getSize(new Vector3()).divideScalar(2);
  const toCamera = turn.clone().invert();
  const halfHeightPerMetre = Math.tan((ORBIT_DEGREES / 2) * (Math.PI / 180));
  const distances = CORNERS.map((corner) => {
    const { x, y, z } = corner.clone().multiply(half).applyQuaternion(toCamera);
    return z + Math.max(Math.abs(x) / (halfHeightPerMetre * aspect), Math.abs(y) / halfHeightPerMetre);
  });
  return Math.max(...distances);
}
