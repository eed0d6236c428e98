/** The lanes of the timeline and their layout. */

import type { HandInfo } from "../api";
import { HANDS, type Hand } from "../recording/joints";
import type { OpenRecording, State } from "../state";
import { recordingColorName } from "../theme";
import type { Band, Box } from "./bands";
import { timedFindings } from "./findings";
import { FLAG_ROW } from "./marker-flags";

export type Content =
  | { readonly kind: "ruler" }
  | { readonly kind: "flags"; readonly rows: number }
  | { readonly kind: "band"; readonly band: Band; readonly strength: number }
  | { readonly kind: "findings"; readonly recording: OpenRecording }
  | { readonly kind: "difference" }
  | { readonly kind: "strip"; readonly recording: OpenRecording };

export interface Lane extends Box {
  /** The text at its left. */
  readonly label: string;
  /** A colour name of `base.css`. */
  readonly colour: string;
  readonly content: Content;
}

/** A lane before its vertical position is known. */
interface UnplacedLane extends Omit<Lane, "top"> {
  /** The space above it. */
  readonly gap: number;
}

const ROW = 14;
const GAP = 5;
/** The space below the last lane. */
const BOTTOM = 8;

const RULER: UnplacedLane = { label: "", colour: "muted", height: 22, gap: 0, content: { kind: "ruler" } };
const DIFFERENCE: UnplacedLane = {
  label: "Difference",
  colour: "muted",
  height: 36,
  gap: GAP,
  content: { kind: "difference" },
};

export function lanesOf(state: State): readonly Lane[] {
  const recording = state.active.value;
  const ofRecording = recording === null ? [] : recordingLanes(recording, state.viewer.can_edit);
  const isCompared = state.difference.value && state.comparedPair.value !== null;
  return stack([RULER, ...ofRecording, ...(isCompared ? [DIFFERENCE] : []), ...strips(state.visible.value)]);
}

export function heightOf(lanes: readonly Lane[]): number {
  return Math.max(...lanes.map(({ top, height }) => top + height)) + BOTTOM;
}

/** The bottom of the lanes that show the active recording only. */
export function recordingLanesBottom(lanes: readonly Lane[]): number {
  const ofRecording = lanes.filter(({ content }) => content.kind !== "difference" && content.kind !== "strip");
  return Math.max(...ofRecording.map(({ top, height }) => top + height));
}

function stack(unplaced: readonly UnplacedLane[]): readonly Lane[] {
  let bottom = 0;
  return unplaced.map(({ gap, ...lane }) => {
    const top = bottom + gap;
    bottom = top + lane.height;
    return { ...lane, top };
  });
}

function recordingLanes(recording: OpenRecording, isEditing: boolean): readonly UnplacedLane[] {
  const { channels, fixations, fixation_count } = recording.info;
  const bandOf: BandOf = (spans, isEmpty, note = "more than 20,000 spans, not drawn") => {
    const band = { spans, offsetSecs: recording.offsetSecs };
    return spans.length > 0 || isEmpty ? band : { ...band, note };
  };
  const gazeNote = fixation_count === null ? "too long for gaze analysis" : undefined;
  const hands = channels.hands ? HANDS.flatMap((hand) => handLanes(hand, recording.info[hand], bandOf)) : [];
  const gaze = channels.gaze
    ? [bandLane("Fixations", "gaze", bandOf(fixations, fixation_count === 0, gazeNote), 0.75, GAP)]
    : [];
  return [...flagLane(recording, isEditing), ...hands, ...gaze, ...findingLane(recording)];
}

/** Two rows if there are several markers, whatever the zoom, so that lanes do not move while zooming. */
function flagLane(recording: OpenRecording, isEditing: boolean): readonly UnplacedLane[] {
  const count = recording.info.markers.length;
  if (count === 0 && !isEditing) {
    return [];
  }
  const rows = count > 1 ? 2 : 1;
  return [{ label: "Markers", colour: "marker", height: rows * FLAG_ROW, gap: 4, content: { kind: "flags", rows } }];
}

type BandOf = (spans: Band["spans"], isEmpty: boolean, note?: string) => Band;

function handLanes(hand: Hand, info: HandInfo, bandOf: BandOf): readonly UnplacedLane[] {
  const name = hand === "left" ? "Left" : "Right";
  return [
    bandLane(`${name} tracked`, hand, bandOf(info.tracked, info.tracked_secs === 0), 0.4, GAP),
    bandLane(`${name} pinching`, hand, bandOf(info.pinching, info.pinch_count === 0), 1, 0),
  ];
}

function bandLane(label: string, colour: string, band: Band, strength: number, gap: number): UnplacedLane {
  return { label, colour, height: ROW, gap, content: { kind: "band", band, strength } };
}

function findingLane(recording: OpenRecording): readonly UnplacedLane[] {
  return timedFindings(recording).length > 0
    ? [{ label: "Findings", colour: "warning", height: ROW, gap: GAP, content: { kind: "findings", recording } }]
    : [];
}

/** A single recording needs no strip. */
function strips(visible: readonly OpenRecording[]): readonly UnplacedLane[] {
  return visible.length < 2
    ? []
    : visible.map((recording, n) => ({
        label: recording.info.name,
        colour: recordingColorName(recording.colorIndex),
        height: ROW,
        gap: n === 0 ? GAP : 0,
        content: { kind: "strip", recording },
      }));
}
