/** The recorded user in the page: head, hands and gaze. */

import { P_DEVICE, P_SPACE, type XRDevice, type XRFrame, type XRSession } from "iwer";
import { isDrawablePose } from "../../../../web/src/recording/drawable";
import type { Hand } from "../../../../web/src/recording/joints";
import { type Pose, type Ray, Sampler } from "../../../../web/src/recording/sampler";
import type { ResolvedOptions } from "../options";
import type { Recording } from "../read";
import type { RecordingEvent } from "../types";
import { RecordedHand } from "./hand";
import { attachToWorld, lookRotation, Placement, setSpacePose, yawOf } from "./space";

/** Of a standing user. */
const EYE_HEIGHT = 1.6;
/** If the eyes are lower than this above the origin, the origin is not on the floor. */
const MIN_EYE_HEIGHT = 0.5;

export class RecordedUser {
  private readonly sampler: Sampler;
  private readonly placement: Placement;
  private readonly hands: Readonly<Record<Hand, RecordedHand>>;
  /** The initial head pose without tilt. */
  readonly start: Pose;

  constructor(
    private readonly device: XRDevice,
    recording: Recording,
    origin: ResolvedOptions["origin"],
  ) {
    this.sampler = new Sampler(recording.curves);
    const head = this.sampler.cameraAt(0);
    this.placement = placementOf(origin, head);
    const world = device[P_DEVICE].globalSpace;
    this.hands = { left: new RecordedHand(device, "left", world), right: new RecordedHand(device, "right", world) };
    if (device.gaze !== undefined) {
      device.gaze.connected = false;
      device.gaze.onFrameStart = () => {};
      attachToWorld(device.gaze.inputSource.targetRaySpace, world);
    }
    const standing: Pose = { position: [0, EYE_HEIGHT, 0], rotation: [0, 0, 0, 1] };
    const first = head !== null && isDrawablePose(head) ? this.placement.pose(head) : standing;
    this.start = { position: first.position, rotation: yawOf(first.rotation) };
    device[P_DEVICE].viewerSpace[P_SPACE].emulated = false;
    this.placeHead(first);
  }

  attachSession(session: XRSession): void {
    const handTracking = session.enabledFeatures.includes("hand-tracking");
    for (const hand of Object.values(this.hands)) {
      hand.showJoints(handTracking);
      hand.hide();
    }
  }

  /** Sets all poses of a time, then dispatches the events, so that handlers see the current poses. */
  show(time: number, events: readonly RecordingEvent[], frame: XRFrame): void {
    const recorded = this.sampler.frameAt(time);
    const head = recorded.camera && this.placement.pose(recorded.camera);
    if (head !== null && isDrawablePose(head)) {
      this.placeHead(head);
    }
    for (const hand of Object.values(this.hands)) {
      const there = recorded[hand.hand];
      if (there?.tracked) {
        hand.setPoses(there, this.placement, head);
      }
    }
    this.placeGaze(recorded.gaze);
    for (const event of events) {
      this.dispatch(event, frame);
    }
  }

  private dispatch(event: RecordingEvent, frame: XRFrame): void {
    switch (event.type) {
      case "handfound":
        this.hands[event.hand].onFound(frame.session);
        break;
      case "handlost":
        this.hands[event.hand].onLost(frame.session);
        break;
      case "pinchstart":
        this.hands[event.hand].startPinch(frame);
        break;
      case "pinchend":
        this.hands[event.hand].endPinch(frame, event.cancelled);
        break;
    }
  }

  private placeHead({ position, rotation }: Pose): void {
    this.device.position.set(...position);
    this.device.quaternion.set(...rotation);
    this.device[P_DEVICE].updateViews();
  }

  private placeGaze(gaze: Ray | null): void {
    const input = this.device.gaze;
    if (input !== undefined) {
      const rotation = gaze && lookRotation(this.placement.direction(gaze.direction));
      const pose = rotation && gaze && { position: this.placement.point(gaze.origin), rotation };
      setSpacePose(input.inputSource.targetRaySpace, pose);
      input.connected = pose !== null && isDrawablePose(pose);
    }
  }
}

function placementOf({ x, z, yawDeg, floor }: ResolvedOptions["origin"], head: Pose | null): Placement {
  const isOnFloor = head === null || !(head.position[1] < MIN_EYE_HEIGHT);
  return new Placement([x, floor !== "auto" ? floor : isOnFloor ? 0 : EYE_HEIGHT, z], yawDeg);
}
