/** A hand of the emulated device, with the recorded joints instead of those that `iwer` generates. */

import {
  P_GAMEPAD,
  P_INPUT_SOURCE,
  P_JOINT_SPACE,
  P_SESSION,
  type XRDevice,
  type XRFrame,
  XRInputSourceEvent,
  type XRSession,
  type XRSpace,
} from "iwer";
import { isDrawablePose } from "../../../../web/src/recording/drawable";
import { type Hand, jointIndex } from "../../../../web/src/recording/joints";
import type { HandFrame, Pose, Quaternion, Vector } from "../../../../web/src/recording/sampler";
import { derivePalm, mrtkJointIndex, typicalRadius, WEBXR_JOINTS } from "../../../../web/src/recording/webxr";
import {
  attachToWorld,
  difference,
  lookRotation,
  type Placement,
  product,
  rotated,
  setSpacePose,
  sum,
  yawOf,
} from "./space";

/**
 * From the palm's axes (z from the fingers to the wrist, y out of the back of the hand) to those of WebXR's grip: y towards the arm, x out
 * of the back of a right hand and into that of a left hand.
 */
const GRIP_OF_PALM: Readonly<Record<Hand, Quaternion>> = {
  right: [0.5, 0.5, 0.5, 0.5],
  left: [0.5, -0.5, -0.5, 0.5],
};

/** From the eyes to the shoulder of a user who faces -z. */
const SHOULDER: Readonly<Record<Hand, Vector>> = { left: [-0.17, -0.2, 0], right: [0.17, -0.2, 0] };

export class RecordedHand {
  private readonly input;
  private readonly joints;

  constructor(
    device: XRDevice,
    readonly hand: Hand,
    world: XRSpace,
  ) {
    const input = device.hands[hand];
    const joints = input?.inputSource.hand;
    if (input === undefined || joints === undefined) {
      throw new Error(`the device has no ${hand} hand`);
    }
    this.input = input;
    this.joints = joints;
    input.connected = false;
    // Disables the poses and events of the emulator.
    input.onFrameStart = () => {};
    input.updateHandPose = () => {};
    for (const [name, space] of joints) {
      attachToWorld(space, world);
      space[P_JOINT_SPACE].radius = typicalRadius(name);
    }
    attachToWorld(input.inputSource.targetRaySpace, world);
    attachToWorld(input.inputSource.gripSpace, world);
  }

  /** A page that did not request hand tracking gets an input source without joints, as on a headset. */
  showJoints(isRequested: boolean): void {
    const source = this.input.inputSource[P_INPUT_SOURCE];
    if (isRequested) {
      source.hand = this.joints;
    } else {
      delete source.hand;
    }
  }

  /** Sets the poses of the joints, the grip and the target ray. */
  setPoses({ joints }: HandFrame, placement: Placement, head: Pose | null): void {
    const pose = (joint: number) => {
      const recorded = joints[joint];
      return recorded ? placement.pose(recorded) : null;
    };
    const named = (name: string) => pose(jointIndex(name));
    for (const [n, name] of WEBXR_JOINTS.entries()) {
      setSpacePose(this.joints.get(name as never), pose(mrtkJointIndex(n)));
    }
    const [metacarpal, knuckle] = [named("MiddleMetacarpal"), named("MiddleKnuckle")];
    const palm = named("Palm") ?? (metacarpal && knuckle && derivePalm(metacarpal, knuckle)) ?? named("Wrist");
    const { gripSpace, targetRaySpace } = this.input.inputSource;
    setSpacePose(gripSpace, palm && { ...palm, rotation: product(palm.rotation, GRIP_OF_PALM[this.hand]) });
    setSpacePose(targetRaySpace, aimOf(this.hand, named("IndexKnuckle"), named("Wrist"), head) ?? palm);
  }

  onFound(session: XRSession): void {
    this.input.connected = true;
    session[P_SESSION].updateActiveInputSources();
  }

  onLost(session: XRSession): void {
    this.input.connected = false;
    session[P_SESSION].updateActiveInputSources();
    this.hide();
  }

  /** Disconnects the hand without dispatching events. */
  hide(): void {
    this.input.connected = false;
    this.setPinch(0);
    const { gripSpace, targetRaySpace } = this.input.inputSource;
    for (const space of [...this.joints.values(), gripSpace, targetRaySpace]) {
      setSpacePose(space, null);
    }
  }

  startPinch(frame: XRFrame): void {
    this.setPinch(1);
    this.dispatch(frame, "selectstart");
  }

  endPinch(frame: XRFrame, cancelled: boolean): void {
    this.setPinch(0);
    if (!cancelled) {
      this.dispatch(frame, "select");
    }
    this.dispatch(frame, "selectend");
  }

  private setPinch(value: 0 | 1): void {
    const pinch = this.input.inputSource.gamepad?.[P_GAMEPAD].buttonsMap.pinch;
    if (pinch) {
      pinch[P_GAMEPAD].value = value;
    }
  }

  private dispatch(frame: XRFrame, type: string): void {
    frame.session.dispatchEvent(new XRInputSourceEvent(type, { frame, inputSource: this.input.inputSource }));
  }
}

/**
 * The ray starts at the index knuckle, which a pinch does not move, and points away from the shoulder, like those of headsets: wrist tremor
 * then rotates it little. Without a head, it points away from the wrist.
 */
function aimOf(hand: Hand, knuckle: Pose | null, wrist: Pose | null, head: Pose | null): Pose | null {
  const isHead = head !== null && isDrawablePose(head);
  const rayOrigin = isHead ? sum(head.position, rotated(yawOf(head.rotation), SHOULDER[hand])) : wrist?.position;
  if (knuckle === null || rayOrigin === undefined) {
    return null;
  }
  const rotation = lookRotation(difference(knuckle.position, rayOrigin));
  return rotation && { position: knuckle.position, rotation };
}
