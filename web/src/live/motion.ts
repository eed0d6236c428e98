/** The last frames of a live take. */

import type { Hand } from "../recording/joints";
import type { Frame, HandFrame, MotionSource, Ray, Vector } from "../recording/sampler";

/** As long as the trails that the scene draws. */
const HISTORY_SECS = 2;

const EMPTY_FRAME: Frame = { time: 0, camera: null, gaze: null, left: null, right: null };

export class LiveMotion implements MotionSource {
  private frames: Frame[] = [];

  get timeSecs(): number {
    return this.frames.at(-1)?.time ?? 0;
  }

  push(frame: Frame): void {
    // A frame that is not later than others replaces them.
    const kept = this.frames.filter(({ time }) => time < frame.time && time > frame.time - HISTORY_SECS);
    this.frames = [...kept, frame];
  }

  /** The last frame at or before a time. Live frames are not interpolated. */
  frameAt(time: number): Frame {
    const { frames } = this;
    for (let n = frames.length - 1; n > 0; n--) {
      const frame = frames[n];
      if (frame !== undefined && frame.time <= time) {
        return frame;
      }
    }
    return frames[0] ?? EMPTY_FRAME;
  }

  gazeAt(time: number): Ray | null {
    return this.frameAt(time).gaze;
  }

  handAt(hand: Hand, time: number): HandFrame | null {
    return this.frameAt(time)[hand];
  }

  jointAt(hand: Hand, joint: number, time: number): Vector | null {
    const isKnown = (this.frames[0]?.time ?? Number.POSITIVE_INFINITY) <= time;
    return isKnown ? (this.handAt(hand, time)?.joints[joint]?.position ?? null) : null;
  }
}
