/** The objects of the scene: recordings, floor, difference and highlight. */

import { Box3, Group, type Object3D, type PerspectiveCamera, Vector3 } from "three";
import {
  distancesBetween,
  type JointDistance,
  type RotationDifference,
  rotationDifferences,
} from "../recording/differences";
import type { Frame } from "../recording/sampler";
import { playbackPhase, type SceneRecording, type State } from "../state";
import { recordingColorName } from "../theme";
import { DifferenceView, heatOfJoints, jointPositions, summaryOf } from "./difference";
import { DEFAULT_BOX, extentOf } from "./extent";
import { Floor } from "./floor";
import { Highlight } from "./highlight";
import type { HudContent, Label } from "./overlay";
import { frameOf, RecordingView } from "./recording-view";
import type { SceneColors } from "./scene-colors";

/** The distance between recordings that are shown side by side. */
const GAP_METRES = 0.35;
const NAME_ABOVE_METRES = 0.02;

const FLOOR_NOTE = {
  text: "floor estimated",
  help: "The origin of this recording is at the head, so its floor height is unknown. The floor is drawn 1.6 m below the eyes.",
};
const HEAD_NOTE = {
  text: "no head",
  help: "This recording has no head pose, so the orbit camera is used.",
};

export class SceneContents {
  readonly group = new Group();
  private readonly views = new Map<number, RecordingView>();
  readonly floor = new Floor();
  private readonly difference = new DifferenceView();
  private readonly highlight = new Highlight();
  private distances: readonly JointDistance[] | null = null;
  private rotations: readonly RotationDifference[] = [];
  private readonly highlightPosition = new Vector3();

  constructor(private readonly state: State) {
    this.group.add(this.floor.mesh, this.highlight.mesh);
  }

  /** Updates all objects to the current state. */
  arrange(colors: SceneColors, isLowQuality: boolean): void {
    const recordings = this.state.sceneRecordings.peek();
    this.syncViews(recordings);
    this.placeViews(recordings);
    this.placeFloor(recordings);
    const frames = new Map(
      recordings.map((recording) => [recording.info.id, frameOf(recording, this.state.time.peek())]),
    );
    this.compare(frames, colors);
    for (const view of this.shown()) {
      const frame = frames.get(view.recording.info.id);
      if (frame !== undefined) {
        this.showRecording(view, frame, colors, isLowQuality);
      }
    }
  }

  /** Draws the highlight. Returns whether its animation continues. */
  updateHighlight(camera: PerspectiveCamera, colors: SceneColors, now: number): boolean {
    return this.highlight.show(this.state.highlightedSubject.peek(), this.highlighted(), camera, colors, now);
  }

  /** The head that cameras follow: that of the active recording, or of the first one. */
  head(): Object3D | null {
    const head = this.followed()?.head.group;
    return head?.visible ? head : null;
  }

  /** The bounding box of all motion. */
  box(): Box3 {
    const box = new Box3();
    const recordings = this.state.sceneRecordings.peek();
    const shifts = this.shifts(recordings);
    for (const [n, recording] of recordings.entries()) {
      const own = extentOf(recording).box.clone();
      box.union(own.translate(new Vector3(shifts[n], 0, 0)));
    }
    return box.isEmpty() ? DEFAULT_BOX : box;
  }

  /** The direction that users face. */
  facing(): Vector3 {
    const [first] = this.state.sceneRecordings.peek();
    return first === undefined ? new Vector3(0, 0, -1) : extentOf(first).facing.clone();
  }

  drawn(recordingId: number, name: string): [number, number, number] | null {
    return this.views.get(recordingId)?.drawn(name) ?? null;
  }

  hudContent(): HudContent {
    const views = this.shown();
    const recordings = views.map((view) => ({ recording: view.recording, notes: this.notesFor(view) }));
    const isEstimated = views[0] !== undefined && extentOf(views[0].recording).floor.isEstimated;
    const notes = [...(isEstimated ? [FLOOR_NOTE] : []), ...(this.isHeadMissing() ? [HEAD_NOTE] : [])];
    return { recordings, notes, difference: this.distances && summaryOf(this.distances, this.rotations) };
  }

  private notesFor({ recording, untracked }: RecordingView): readonly string[] {
    const phase = playbackPhase(recording, this.state.time.peek());
    return phase === "playing" ? untracked.map((hand) => `${hand} hand not tracked`) : [phase];
  }

  /** Whether the followed head is missing. Before its start and after its end, a recording has its own note. */
  private isHeadMissing(): boolean {
    const { camera, time } = this.state;
    const view = this.followed();
    const isOn = view !== null && playbackPhase(view.recording, time.peek()) === "playing";
    return isOn && camera.peek() !== "orbit" && this.head() === null;
  }

  labels(): Label[] {
    const labels = this.state.arrangement.peek() === "side" && this.views.size > 1 ? this.nameLabels() : [];
    const name = this.state.highlightedSubject.peek();
    const position = this.highlighted();
    return name === null || position === null ? labels : [...labels, { text: name, position, colorName: "marker" }];
  }

  private nameLabels(): Label[] {
    return this.shown().map(({ recording, group }) => {
      const { box } = extentOf(recording);
      const position = box.getCenter(new Vector3()).add(group.position);
      position.y = box.max.y + NAME_ABOVE_METRES;
      return { text: recording.info.name, position, colorName: recordingColorName(recording.colorIndex) };
    });
  }

  private syncViews(recordings: readonly SceneRecording[]): void {
    const ids = new Set(recordings.map(({ info }) => info.id));
    for (const [id, view] of this.views) {
      if (!ids.has(id)) {
        view.dispose();
        this.views.delete(id);
      }
    }
    for (const recording of recordings) {
      const view = this.views.get(recording.info.id) ?? this.addView(recording);
      view.recording = recording;
    }
  }

  private addView(recording: SceneRecording): RecordingView {
    const view = new RecordingView(recording);
    this.views.set(recording.info.id, view);
    this.group.add(view.group);
    return view;
  }

  private showRecording(view: RecordingView, frame: Frame, colors: SceneColors, isLowQuality: boolean): void {
    const { state } = this;
    const isB = this.distances !== null && view.recording === state.comparedPair.peek()?.b;
    view.show(frame, {
      colors,
      floor: this.floor.mesh.position.y,
      trails: state.trails.peek(),
      isLowQuality,
      isTinted: this.views.size > 1,
      isOverlaid: state.arrangement.peek() === "overlay" && view !== this.shown()[0],
      isFirstPerson: state.camera.peek() === "head" && view === this.followed(),
      heatOf: isB && this.distances !== null ? heatOfJoints(this.distances, colors) : null,
    });
  }

  private followed(): RecordingView | null {
    const active = this.views.get(this.state.activeId.peek() ?? Number.NaN);
    return active ?? this.shown()[0] ?? null;
  }

  /** In the order of the recordings. */
  private shown(): RecordingView[] {
    return this.state.sceneRecordings.peek().flatMap(({ info }) => this.views.get(info.id) ?? []);
  }

  private placeViews(recordings: readonly SceneRecording[]): void {
    const shifts = this.shifts(recordings);
    recordings.forEach((recording, n) => {
      this.views.get(recording.info.id)?.group.position.set(shifts[n] ?? 0, 0, 0);
    });
  }

  /** The x offsets of recordings shown side by side; seen from the front, the first is at the left. */
  private shifts(recordings: readonly SceneRecording[]): number[] {
    if (this.state.arrangement.peek() !== "side" || recordings.length < 2) {
      return recordings.map(() => 0);
    }
    const widths = recordings.map((recording) => extentOf(recording).box.max.x - extentOf(recording).box.min.x);
    const step = Math.max(...widths) + GAP_METRES;
    const rightwards = this.facing().z < 0 ? -step : step;
    return recordings.map((_, n) => (n - (recordings.length - 1) / 2) * rightwards);
  }

  private placeFloor([first]: readonly SceneRecording[]): void {
    const extent = first && extentOf(first);
    const { x, z } = (extent?.box ?? DEFAULT_BOX).getCenter(new Vector3());
    this.floor.moveTo(extent?.floor.height ?? 0, x, z);
  }

  private compare(frames: ReadonlyMap<number, Frame>, colors: SceneColors): void {
    const pair = this.state.difference.peek() ? this.state.comparedPair.peek() : null;
    const [a, b] = [pair?.a, pair?.b].map((recording) => recording && frames.get(recording.info.id));
    this.distances = a !== undefined && b !== undefined ? distancesBetween(jointPositions(a), jointPositions(b)) : null;
    this.rotations = a !== undefined && b !== undefined ? rotationDifferences(a, b) : [];
    const parent = pair && (this.views.get(pair.b.info.id)?.group ?? null);
    this.difference.show(this.distances ?? [], parent, colors);
  }

  private highlighted(): Vector3 | null {
    const view = this.followed();
    const position = view?.positionOf(this.state.highlightedSubject.peek() ?? "") ?? null;
    return view === null || position === null ? null : this.highlightPosition.addVectors(position, view.group.position);
  }
}
