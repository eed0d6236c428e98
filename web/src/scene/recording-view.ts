/** The view of one recording in the scene. */

import { Color, Group, Vector3 } from "three";
import { HANDS, type Hand, jointIndex } from "../recording/joints";
import type { Frame, HandFrame, MotionSource, Vector } from "../recording/sampler";
import { countWhile } from "../search";
import { playbackPhase, type SceneRecording, type TrackedSpans, toLocalTime } from "../state";
import { GazeView } from "./gaze";
import { HandView } from "./hand";
import { HeadView } from "./head";
import { LineBatch } from "./line-batch";
import type { SceneColors } from "./scene-colors";
import { INDEX_TIP, PALM, THUMB_TIP, TIPS } from "./skeleton";
import { setPoint, toUnity } from "./space";
import { GLOW, RING, SpriteBatch } from "./sprites";

export interface RenderContext {
  readonly colors: SceneColors;
  readonly floor: number;
  readonly trails: boolean;
  readonly isLowQuality: boolean;
  /** Whether bones have the colour of their recording, to distinguish several. */
  readonly isTinted: boolean;
  readonly isFirstPerson: boolean;
  /** Whether another recording is drawn at the same place: only one of overlapping heads has a face. */
  readonly isOverlaid: boolean;
  /** Overrides the colours of joints, to show their distance from another recording. */
  readonly heatOf: ((hand: Hand, joint: number, into: Color) => Color) | null;
}

const TRAIL_SECS = 1.5;
const TRAIL_STEPS = 60;
const TRAIL_LINES = HANDS.length * TIPS.length * TRAIL_STEPS;
/** Lines of the view frame and of the gaze ray. */
const HEAD_AND_GAZE_LINES = 48;
/** A tracked span ends at the first time without the hand. */
const JUST_BEFORE_SECS = 1e-4;
const EMPTY_FRAME = { camera: null, gaze: null, left: null, right: null };
const MAX_PINCH_RADIUS_METRES = 0.05;
const SHADOW_RADIUS_METRES = { hand: 0.13, head: 0.2 };

export class RecordingView {
  readonly group = new Group();
  readonly hands: Readonly<Record<Hand, HandView>> = { left: new HandView(), right: new HandView() };
  readonly head = new HeadView();
  readonly gaze = new GazeView();
  /** Hands of the recording that are not tracked now. */
  untracked: readonly Hand[] = [];
  private readonly lines = new LineBatch(TRAIL_LINES + HEAD_AND_GAZE_LINES);
  private readonly sprites = new SpriteBatch(8);
  /** In first person, objects in the line of sight would hide the end of the gaze. */
  private readonly spritesOnTop = new SpriteBatch(2, "onTop");
  private readonly shadows = new SpriteBatch(3, "flat");
  private readonly batches = [this.lines, this.sprites, this.spritesOnTop, this.shadows];
  private readonly bonePaint = new Color();
  private readonly jointPaint = new Color();
  private readonly point = new Vector3();

  constructor(public recording: SceneRecording) {
    const { left, right } = this.hands;
    this.group.add(left.mesh, right.mesh, this.head.group, ...this.batches.map(({ mesh }) => mesh));
  }

  show(frame: Frame, context: RenderContext): void {
    for (const drawing of this.batches) {
      drawing.clear();
    }
    this.showHead(frame, context);
    this.showGaze(frame, context);
    this.untracked = HANDS.filter((hand) => this.showHand(hand, frame, context) === "untracked");
    for (const drawing of this.batches) {
      drawing.commit();
    }
  }

  /** The position of a joint, a hand, the head or the end of the gaze, in the coordinates of the group. */
  positionOf(name: string): Vector3 | null {
    const [part, joint = "Palm"] = name.split(".");
    if (part === "left" || part === "right") {
      return this.hands[part].joint(jointIndex(joint)) ?? this.hands[part].joint(PALM);
    }
    if (part === "camera") {
      return this.head.group.visible ? this.head.position : null;
    }
    return part === "gaze" && this.gaze.isVisible ? this.gaze.end : null;
  }

  /** The drawn position of the head, a joint or the end of the gaze, in Unity's coordinates. */
  drawn(name: string): Vector | null {
    const [part, joint = ""] = name.split(".");
    const isHand = part === "left" || part === "right";
    const position = isHand ? this.hands[part].drawn(jointIndex(joint)) : this.positionOf(name);
    return position && toUnity(position);
  }

  dispose(): void {
    for (const part of [...Object.values(this.hands), this.head, ...this.batches]) {
      part.dispose();
    }
    this.group.removeFromParent();
  }

  private showHead({ camera }: Frame, { colors, floor, isTinted, isFirstPerson, isOverlaid }: RenderContext): void {
    if (this.head.setPose(camera)) {
      const frame = isTinted ? colors.ofRecording(this.recording.colorIndex) : colors.of("head");
      const style = { form: isOverlaid ? null : colors.head, visor: colors.visor, frame, view: colors.of("head") };
      this.head.paint(style, this.lines, isFirstPerson);
      this.shadow(this.head.position, floor, SHADOW_RADIUS_METRES.head, colors);
    }
  }

  private showGaze(frame: Frame, { colors, floor, isFirstPerson }: RenderContext): void {
    const sprites = isFirstPerson ? this.spritesOnTop : this.sprites;
    const style = { paint: colors.of("gaze"), lines: this.lines, sprites };
    this.gaze.show(this.recording.sampler, frame, floor, style, isFirstPerson);
  }

  private showHand(hand: Hand, frame: Frame, context: RenderContext): "tracked" | "untracked" | "absent" {
    const view = this.hands[hand];
    const now = frame[hand];
    if (now === null) {
      view.hide();
      return "absent";
    }
    const { sampler, info } = this.recording;
    const shown = now.tracked ? now : lastTrackedFrame(sampler, hand, info[hand], frame.time);
    if (context.trails) {
      this.drawTrails(hand, frame.time, context.colors.of(hand));
    }
    if (shown === null) {
      view.hide();
    } else {
      this.drawHand(hand, shown, !now.tracked, context);
    }
    return now.tracked ? "tracked" : "untracked";
  }

  private drawHand(hand: Hand, frame: HandFrame, isGhost: boolean, context: RenderContext): void {
    const { colors, heatOf } = context;
    const view = this.hands[hand];
    const joints = colors.joint(colors.of(hand), this.jointPaint);
    const isPinching = frame.pinching && !isGhost;
    view.show(frame.joints, {
      isGhost,
      isLowQuality: context.isLowQuality,
      bones: colors.bone(
        context.isTinted ? colors.ofRecording(this.recording.colorIndex) : colors.of(hand),
        this.bonePaint,
      ),
      joint: heatOf === null ? () => joints : (joint) => heatOf(hand, joint, this.jointPaint),
      pinch: isPinching ? colors.of("accent") : null,
    });
    if (isPinching) {
      this.drawPinch(view, colors.of("accent"));
    }
    const palm = view.joint(PALM);
    if (palm !== null && !isGhost) {
      this.shadow(palm, context.floor, SHADOW_RADIUS_METRES.hand, colors);
    }
  }

  private drawTrails(hand: Hand, time: number, paint: Color): void {
    for (const tip of TIPS) {
      const at = (n: number, into: Vector3) => {
        const pastTime = time - TRAIL_SECS * (1 - n / (TRAIL_STEPS - 1));
        return pastTime >= 0 && setPoint(into, this.recording.sampler.jointAt(hand, tip, pastTime));
      };
      this.lines.fading(TRAIL_STEPS, at, paint, 0.85, 2.4);
    }
  }

  private drawPinch(view: HandView, paint: Color): void {
    const [thumb, index] = [view.joint(THUMB_TIP), view.joint(INDEX_TIP)];
    if (thumb !== null && index !== null) {
      const radius = Math.min(0.5 * thumb.distanceTo(index) + 0.018, MAX_PINCH_RADIUS_METRES);
      this.point.lerpVectors(thumb, index, 0.5);
      this.sprites.add(this.point, 2.2 * radius, paint, 0.5, GLOW);
      this.sprites.add(this.point, radius, paint, 0.95, RING);
    }
  }

  private shadow(above: Vector3, floor: number, radius: number, colors: SceneColors): void {
    this.point.set(above.x, floor + 1e-3, above.z);
    this.shadows.add(this.point, radius, colors.shadow, colors.isDark ? 0.5 : 0.16, GLOW);
  }
}

/** The hand at the end of its last tracked span; `null` if it has not been tracked yet. */
function lastTrackedFrame(
  sampler: MotionSource,
  hand: Hand,
  { tracked }: TrackedSpans,
  time: number,
): HandFrame | null {
  const span = tracked[countWhile(tracked.length, (index) => (tracked[index]?.[1] ?? 0) <= time) - 1];
  const frame = span && sampler.handAt(hand, Math.max(span[1] - JUST_BEFORE_SECS, span[0]));
  return frame?.tracked ? frame : null;
}

/** The frame at a page time; empty before the start and after the end of the recording. */
export function frameOf(recording: SceneRecording, time: number): Frame {
  const own = toLocalTime(recording, time);
  return playbackPhase(recording, time) === "playing" ? recording.sampler.frameAt(own) : { time: own, ...EMPTY_FRAME };
}
