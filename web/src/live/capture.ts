/** Captures WebXR frames as binary records. */

import { HANDS, type Hand, jointIndex } from "../recording/joints";
import { MarkerGesture } from "./gesture";
import { HandReader, writeUnityPose } from "./hand-reader";
import { PinchDetector } from "./pinch";
import { FramePacker, POSE_FLOATS, RAY_FLOATS } from "./records";

const THUMB_TIP = jointIndex("ThumbTip");
const INDEX_TIP = jointIndex("IndexTip");
const LITTLE_TIP = jointIndex("PinkyTip");

class HandCapture {
  readonly reader = new HandReader();
  readonly pinch = new PinchDetector();
  isTracked = false;
  isPinching = false;

  read(frame: XRFrame, hand: XRHand | undefined, space: XRSpace): void {
    this.isTracked = hand !== undefined && this.reader.read(frame, hand, space);
    if (this.isTracked) {
      this.isPinching = this.pinch.update(this.reader.distance(THUMB_TIP, INDEX_TIP));
    } else {
      this.markLost();
    }
  }

  markLost(): void {
    this.isTracked = false;
    this.isPinching = false;
    this.pinch.reset();
  }
}

export class FrameCapture {
  readonly hands: Readonly<Record<Hand, HandCapture>> = { left: new HandCapture(), right: new HandCapture() };
  /** Whether the marker gesture was completed in the last frame. */
  isMarkerRequested = false;
  private readonly packer = new FramePacker();
  private readonly gesture = new MarkerGesture();
  private readonly head = new Float32Array(POSE_FLOATS);
  private readonly gaze = new Float32Array(RAY_FLOATS);
  private lastSecs = Number.NEGATIVE_INFINITY;

  constructor(private readonly session: XRSession) {
    session.addEventListener("selectstart", ({ inputSource }) => this.pinchDetectorOf(inputSource)?.begin());
    session.addEventListener("selectend", ({ inputSource }) => this.pinchDetectorOf(inputSource)?.end());
  }

  /** The record of a frame, valid until the next call; `null` if its time is not later than that of the last frame. */
  frame(timeSecs: number, frame: XRFrame, space: XRReferenceSpace): Uint8Array | null {
    if (!(timeSecs > this.lastSecs)) {
      return null;
    }
    this.lastSecs = timeSecs;
    this.packer.start(timeSecs);
    this.readHead(frame, space);
    for (const hand of HANDS) {
      const capture = this.hands[hand];
      capture.read(frame, this.handOf(hand), space);
      if (capture.isTracked) {
        this.packer.hand(hand, capture.reader.joints, capture.isPinching);
      }
    }
    this.readGaze(frame, space);
    this.updateGesture(timeSecs);
    return this.packer.finish();
  }

  /**
   * A record without hands, for when the headset shows something else and delivers no frames. Without it, hands would be interpolated
   * across the gap. `null` if no hand was tracked.
   */
  untrackedFrame(): Uint8Array | null {
    const { left, right } = this.hands;
    if (!left.isTracked && !right.isTracked) {
      return null;
    }
    left.markLost();
    right.markLost();
    this.gesture.reset();
    this.lastSecs += MIN_FRAME_SECS;
    this.packer.start(this.lastSecs);
    return this.packer.finish();
  }

  private readHead(frame: XRFrame, space: XRReferenceSpace): void {
    const pose = frame.getViewerPose(space);
    if (pose) {
      writeUnityPose(this.head, 0, pose.transform.position, pose.transform.orientation);
      this.packer.camera(this.head);
    }
  }

  /** Eye gaze, if the headset provides it. The server derives it from the head otherwise. */
  private readGaze(frame: XRFrame, space: XRReferenceSpace): void {
    for (const source of this.session.inputSources) {
      const pose = source.targetRayMode === "gaze" ? frame.getPose(source.targetRaySpace, space) : undefined;
      if (pose) {
        writeUnityRay(this.gaze, pose.transform);
        this.packer.gaze(this.gaze);
        return;
      }
    }
  }

  private updateGesture(timeSecs: number): void {
    const { reader, isTracked } = this.hands.left;
    if (isTracked) {
      const toLittle = reader.distance(THUMB_TIP, LITTLE_TIP);
      this.isMarkerRequested = this.gesture.update(timeSecs, toLittle, reader.distance(THUMB_TIP, INDEX_TIP));
    } else {
      this.isMarkerRequested = false;
      this.gesture.reset();
    }
  }

  private handOf(hand: Hand): XRHand | undefined {
    for (const source of this.session.inputSources) {
      if (source.hand && source.handedness === hand) {
        return source.hand;
      }
    }
    return undefined;
  }

  /** Some headsets report pinches with a separate input source, which has the handedness of the hand. */
  private pinchDetectorOf(source: XRInputSource): PinchDetector | null {
    // For controllers, `hand` is null.
    const isHand = Boolean(source.hand) || source.targetRayMode === "transient-pointer";
    const hand = source.handedness;
    return isHand && hand !== "none" ? this.hands[hand].pinch : null;
  }
}

/** Shorter than the frame interval of any headset. */
const MIN_FRAME_SECS = 0.001;

/** A ray points along -z of its matrix. Unity's z axis has the opposite direction. */
function writeUnityRay(into: Float32Array, { position, matrix }: XRRigidTransform): void {
  into[0] = position.x;
  into[1] = position.y;
  into[2] = -position.z;
  into[3] = -(matrix[8] as number);
  into[4] = -(matrix[9] as number);
  into[5] = matrix[10] as number;
}
