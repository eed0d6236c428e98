/** Encodes and decodes the binary records of `docs/stream.md`. Encoding reuses its buffer to avoid garbage collection. */

import { type Hand, JOINT_COUNT, JOINTS } from "../recording/joints";
import type { Frame, HandFrame, Pose, Vector } from "../recording/sampler";

const FRAME = 1;
const MARKER = 2;

/** Position x, y, z, rotation x, y, z, w. */
export const POSE_FLOATS = 7;
/** Origin x, y, z, direction x, y, z. */
export const RAY_FLOATS = 6;

const TIME_OFFSET = 1;
const PRESENT_OFFSET = 9;
const FLOATS_OFFSET = 17;
const NAME_OFFSET = 9;
export const MAX_FRAME_BYTES = FLOATS_OFFSET + 4 * (POSE_FLOATS * (1 + 2 * JOINT_COUNT) + RAY_FLOATS);

const CAMERA = 0;
const GAZE = 1 + 2 * JOINT_COUNT;
const FIRST_JOINT: Readonly<Record<Hand, number>> = { left: 1, right: 1 + JOINT_COUNT };
const TRACKED: Readonly<Record<Hand, number>> = { left: GAZE + 1, right: GAZE + 2 };
const PINCHING: Readonly<Record<Hand, number>> = { left: GAZE + 3, right: GAZE + 4 };

/** Encodes frames into a reused buffer. Call the methods in their order here, the left hand before the right one. */
export class FramePacker {
  private readonly bytes = new Uint8Array(MAX_FRAME_BYTES);
  private readonly view = new DataView(this.bytes.buffer);
  private length = FLOATS_OFFSET;

  start(timeSecs: number): void {
    this.view.setUint8(0, FRAME);
    this.view.setFloat64(TIME_OFFSET, timeSecs, true);
    this.view.setBigUint64(PRESENT_OFFSET, 0n);
    this.length = FLOATS_OFFSET;
  }

  camera(pose: Float32Array): void {
    this.add(CAMERA, pose, 0, POSE_FLOATS);
  }

  /** Adds a tracked hand: seven values for each MRTK joint. The joint `None` is skipped. */
  hand(hand: Hand, joints: Float32Array, isPinching: boolean): void {
    for (let joint = 1; joint < JOINT_COUNT; joint++) {
      this.add(FIRST_JOINT[hand] + joint, joints, joint * POSE_FLOATS, POSE_FLOATS);
    }
    this.setBit(TRACKED[hand]);
    if (isPinching) {
      this.setBit(PINCHING[hand]);
    }
  }

  gaze(ray: Float32Array): void {
    this.add(GAZE, ray, 0, RAY_FLOATS);
  }

  /** Returns the record, valid until `start` is called again. */
  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private add(bit: number, values: Float32Array, from: number, count: number): void {
    this.setBit(bit);
    for (let n = from; n < from + count; n++) {
      this.view.setFloat32(this.length, values[n] as number, true);
      this.length += 4;
    }
  }

  private setBit(bit: number): void {
    const offset = PRESENT_OFFSET + (bit >> 3);
    this.view.setUint8(offset, this.view.getUint8(offset) | (1 << (bit & 7)));
  }
}

export function encodeMarker(timeSecs: number, name: string): Uint8Array {
  const encodedName = new TextEncoder().encode(name);
  const bytes = new Uint8Array(NAME_OFFSET + encodedName.length);
  bytes[0] = MARKER;
  new DataView(bytes.buffer).setFloat64(TIME_OFFSET, timeSecs, true);
  bytes.set(encodedName, NAME_OFFSET);
  return bytes;
}

/** Whether the first byte of a record is that of a frame. */
export function isFrame(record: Uint8Array): boolean {
  return record[0] === FRAME;
}

/** Decodes a frame record; `null` if the record is of another kind or malformed. */
export function decodeFrame(record: ArrayBuffer): Frame | null {
  if (record.byteLength < FLOATS_OFFSET) {
    return null;
  }
  const view = new DataView(record);
  const values = new FrameDecoder(view);
  return view.getUint8(0) === FRAME && values.isComplete ? values.frame() : null;
}

/** Reads the parts of a frame in the order of their bits. */
class FrameDecoder {
  private offset = FLOATS_OFFSET;

  constructor(private readonly view: DataView) {}

  /** Whether the length matches the bits. */
  get isComplete(): boolean {
    let floats = this.has(GAZE) ? RAY_FLOATS : 0;
    for (let bit = CAMERA; bit < GAZE; bit++) {
      floats += this.has(bit) ? POSE_FLOATS : 0;
    }
    return this.view.byteLength === FLOATS_OFFSET + 4 * floats;
  }

  frame(): Frame {
    const time = this.view.getFloat64(TIME_OFFSET, true);
    // Evaluated in the order of the bits.
    return {
      time,
      camera: this.has(CAMERA) ? this.pose() : null,
      left: this.hand("left"),
      right: this.hand("right"),
      gaze: this.has(GAZE) ? { origin: this.vector(), direction: this.vector() } : null,
    };
  }

  private hand(hand: Hand): HandFrame {
    const joints = JOINTS.map((_, joint) => (this.has(FIRST_JOINT[hand] + joint) ? this.pose() : null));
    return { tracked: this.has(TRACKED[hand]), pinching: this.has(PINCHING[hand]), joints };
  }

  private pose(): Pose {
    return { position: this.vector(), rotation: [this.next(), this.next(), this.next(), this.next()] };
  }

  private vector(): Vector {
    return [this.next(), this.next(), this.next()];
  }

  private next(): number {
    this.offset += 4;
    return this.view.getFloat32(this.offset - 4, true);
  }

  private has(bit: number): boolean {
    return ((this.view.getUint8(PRESENT_OFFSET + (bit >> 3)) >> (bit & 7)) & 1) === 1;
  }
}
