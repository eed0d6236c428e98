/** What is in the scene at one moment: the takes where they stand, the floor, and what points things out. */

import { Box3, Group, type PerspectiveCamera, Vector3 } from "three";
import { distancesBetween, type JointDistance } from "../recording/distances";
import { type RotationDifference, rotationDifferences } from "../recording/rotation-difference";
import type { Frame } from "../recording/sampler";
import { playbackPhase, type SceneRecording, type State } from "../state";
import { recordingColorName } from "../theme";
import type { Head } from "./camera-rig";
import { DifferenceView, heatOfJoints, jointPositions, summaryOf } from "./difference";
import { DEFAULT_BOX, extentOf } from "./extent";
import { Floor } from "./floor";
import { Highlight } from "./highlight";
import type { HudContent } from "./hud";
import type { Label } from "./labels";
import { frameOf, RecordingView } from "./recording-view";
import type { SceneColors } from "./scene-colors";

/** Between takes that stand side by side. */
const GAP_METRES = 0.35;
const NAME_ABOVE_METRES = 0.02;

const FLOOR_NOTE = {
  words: "floor estimated",
  help: "The origin of this recording is at the head, so that it does not say where the floor was. It is drawn 1.6 m below the eyes.",
};
const HEAD_NOTE = {
  words: "no head to follow",
  help: "This recording does not hold where the head was, so that it is shown from outside.",
};

export class SceneContents {
  readonly group = new Group();
  private readonly views = new Map<number, RecordingView>();
  private readonly floor = new Floor();
  private readonly difference = new DifferenceView();
  private readonly highlight = new Highlight();
  private distances: readonly JointDistance[] | null = null;
  private turns: readonly RotationDifference[] = [];
  private readonly pointedAt = new Vector3();

  constructor(private readonly state: State) {
    this.group.add(this.floor.mesh, this.highlight.group);
  }

  paint(palette: SceneColors): void {
    this.floor.paint(palette);
  }

  /** Puts everything where it is now. */
  arrange(palette: SceneColors, isLowQuality: boolean): void {
    const takes = this.state.staged.peek();
    this.keepViewsOf(takes);
    this.standSideBySide(takes);
    this.placeFloor(takes);
    const frames = new Map(takes.map((take) => [take.info.id, frameOf(take, this.state.time.peek())]));
    this.compare(frames, palette);
    for (const view of this.shown()) {
      const frame = frames.get(view.take.info.id);
      if (frame !== undefined) {
        this.showTake(view, frame, palette, isLowQuality);
      }
    }
  }

  /** Points out what is asked for; whether that goes on moving. */
  pointOut(camera: PerspectiveCamera, palette: SceneColors, now: number): boolean {
    return this.highlight.show(this.state.highlight.peek(), this.highlighted(), camera, palette, now);
  }

  /** The head that cameras follow: that of the active take, or of the first one. */
  head(): Head | null {
    const view = this.followed();
    if (view === null || !view.head.group.visible) {
      return null;
    }
    view.head.group.updateWorldMatrix(true, false);
    return { position: view.head.group.getWorldPosition(new Vector3()), rotation: view.head.rotation };
  }

  /** Where all of the motion takes place. */
  box(): Box3 {
    const box = new Box3();
    const takes = this.state.staged.peek();
    const shifts = this.shifts(takes);
    for (const [n, take] of takes.entries()) {
      const own = extentOf(take).box.clone();
      box.union(own.translate(new Vector3(shifts[n], 0, 0)));
    }
    return box.isEmpty() ? DEFAULT_BOX : box;
  }

  /** Where the people face, or would. */
  facing(): Vector3 {
    const [first] = this.state.staged.peek();
    return first === undefined ? new Vector3(0, 0, -1) : extentOf(first).facing.clone();
  }

  drawn(takeId: number, name: string): [number, number, number] | null {
    return this.views.get(takeId)?.drawn(name) ?? null;
  }

  words(): HudContent {
    const views = this.shown();
    const takes = views.map((view) => ({
      name: view.take.info.name,
      tint: view.take.colorIndex,
      isLive: view.take.live !== undefined,
      notes: this.notesOn(view),
    }));
    const isEstimated = views[0] !== undefined && extentOf(views[0].take).floor.isEstimated;
    const notes = [...(isEstimated ? [FLOOR_NOTE] : []), ...(this.isHeadMissing() ? [HEAD_NOTE] : [])];
    const content: HudContent = { takes, notes };
    return this.distances === null ? content : { ...content, difference: summaryOf(this.distances, this.turns) };
  }

  private notesOn({ take, untracked }: RecordingView): readonly string[] {
    const phase = playbackPhase(take, this.state.time.peek());
    return phase === "on" ? untracked.map((hand) => `${hand} hand not tracked`) : [phase];
  }

  /** Whether a head is to be followed that is not there. A recording that is over says so itself. */
  private isHeadMissing(): boolean {
    const { camera, time } = this.state;
    const view = this.followed();
    const isOn = view !== null && playbackPhase(view.take, time.peek()) === "on";
    return isOn && camera.peek() !== "orbit" && this.head() === null;
  }

  labels(): Label[] {
    const labels = this.state.arrangement.peek() === "side" && this.views.size > 1 ? this.nameLabels() : [];
    const name = this.state.highlight.peek();
    const place = this.highlighted();
    return name === null || place === null ? labels : [...labels, { words: name, place, tint: "marker" }];
  }

  private nameLabels(): Label[] {
    return this.shown().map(({ take, group }) => {
      const { box } = extentOf(take);
      const place = box.getCenter(new Vector3()).add(group.position);
      place.y = box.max.y + NAME_ABOVE_METRES;
      return { words: take.info.name, place, tint: recordingColorName(take.colorIndex) };
    });
  }

  private keepViewsOf(takes: readonly SceneRecording[]): void {
    const ids = new Set(takes.map(({ info }) => info.id));
    for (const [id, view] of this.views) {
      if (!ids.has(id)) {
        view.dispose();
        this.views.delete(id);
      }
    }
    for (const take of takes) {
      const view = this.views.get(take.info.id) ?? this.added(take);
      view.take = take;
    }
  }

  private added(take: SceneRecording): RecordingView {
    const view = new RecordingView(take);
    this.views.set(take.info.id, view);
    this.group.add(view.group);
    return view;
  }

  private showTake(view: RecordingView, frame: Frame, palette: SceneColors, isLowQuality: boolean): void {
    const { state } = this;
    const isB = this.distances !== null && view.take === state.pair.peek()?.b;
    view.show(frame, {
      palette,
      floor: this.floor.mesh.position.y,
      trails: state.trails.peek(),
      isHasty: isLowQuality,
      isTinted: this.views.size > 1,
      isOverlaid: state.arrangement.peek() === "overlay" && view !== this.shown()[0],
      isFirstPerson: state.camera.peek() === "head" && view === this.followed(),
      heatOf: isB && this.distances !== null ? heatOfJoints(this.distances, palette) : null,
    });
  }

  private followed(): RecordingView | null {
    const active = this.views.get(this.state.activeId.peek() ?? Number.NaN);
    return active ?? this.shown()[0] ?? null;
  }

  /** In the order of the takes. */
  private shown(): RecordingView[] {
    return this.state.staged.peek().flatMap(({ info }) => this.views.get(info.id) ?? []);
  }

  private standSideBySide(takes: readonly SceneRecording[]): void {
    const shifts = this.shifts(takes);
    takes.forEach((take, n) => {
      this.views.get(take.info.id)?.group.position.set(shifts[n] ?? 0, 0, 0);
    });
  }

  /** How far each take stands to the right of where it was recorded: the first on the left for who looks at their faces. */
  private shifts(takes: readonly SceneRecording[]): number[] {
    if (this.state.arrangement.peek() !== "side" || takes.length < 2) {
      return takes.map(() => 0);
    }
    const widths = takes.map((take) => extentOf(take).box.max.x - extentOf(take).box.min.x);
    const step = Math.max(...widths) + GAP_METRES;
    const rightwards = this.facing().z < 0 ? -step : step;
    return takes.map((_, n) => (n - (takes.length - 1) / 2) * rightwards);
  }

  private placeFloor([first]: readonly SceneRecording[]): void {
    const extent = first && extentOf(first);
    const { x, z } = (extent?.box ?? DEFAULT_BOX).getCenter(new Vector3());
    this.floor.place(extent?.floor.height ?? 0, x, z);
  }

  private compare(frames: ReadonlyMap<number, Frame>, palette: SceneColors): void {
    const pair = this.state.difference.peek() ? this.state.pair.peek() : null;
    const [a, b] = [pair?.a, pair?.b].map((take) => take && frames.get(take.info.id));
    this.distances = a !== undefined && b !== undefined ? distancesBetween(jointPositions(a), jointPositions(b)) : null;
    this.turns = a !== undefined && b !== undefined ? rotationDifferences(a, b) : [];
    const beside = pair && (this.views.get(pair.b.info.id)?.group ?? null);
    this.difference.show(this.distances ?? [], beside, palette);
  }

  private highlighted(): Vector3 | null {
    const view = this.followed();
    const place = view?.find(this.state.highlight.peek() ?? "") ?? null;
    return view === null || place === null ? null : this.pointedAt.addVectors(place, view.group.position);
  }
}
