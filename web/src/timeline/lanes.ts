/** Which lanes the timeline has, one under the other. */

import type { Finding, HandInfo } from "../api";
import type { State, Take } from "../state";
import { HANDS, type Hand } from "../tape/joints";
import { tintName } from "../theme";
import { FLAG_ROW } from "./flags";
import type { Band, Box } from "./spans";

export type Content =
  | { readonly kind: "ruler" }
  | { readonly kind: "flags"; readonly rows: number }
  | { readonly kind: "band"; readonly band: Band; readonly strength: number }
  | { readonly kind: "findings"; readonly take: Take }
  | { readonly kind: "difference" }
  | { readonly kind: "strip"; readonly take: Take };

export interface Lane extends Box {
  /** Said at its left. */
  readonly label: string;
  /** A colour of `base.css`. */
  readonly colour: string;
  readonly content: Content;
}

/** A lane that does not know yet what is above it. */
interface Draft extends Omit<Lane, "top"> {
  /** Room above it: what belongs together is close together. */
  readonly gap: number;
}

const ROW = 14;
const GAP = 5;
/** Room under the last one. */
const BOTTOM = 8;

const RULER: Draft = { label: "", colour: "muted", height: 22, gap: 0, content: { kind: "ruler" } };
const DIFFERENCE: Draft = {
  label: "Difference",
  colour: "muted",
  height: 36,
  gap: GAP,
  content: { kind: "difference" },
};

export function lanesOf(state: State): readonly Lane[] {
  const take = state.active.value;
  const ofTake = take === null ? [] : takeLanes(take, state.session.edit);
  const isCompared = state.difference.value && state.pair.value !== null;
  return stacked([RULER, ...ofTake, ...(isCompared ? [DIFFERENCE] : []), ...strips(state.visible.value)]);
}

export function heightOf(lanes: readonly Lane[]): number {
  return Math.max(...lanes.map(({ top, height }) => top + height)) + BOTTOM;
}

/** Where what is about the active take alone ends. */
export function bottomOfTake(lanes: readonly Lane[]): number {
  const ofTake = lanes.filter(({ content }) => content.kind !== "difference" && content.kind !== "strip");
  return Math.max(...ofTake.map(({ top, height }) => top + height));
}

function stacked(drafts: readonly Draft[]): readonly Lane[] {
  let bottom = 0;
  return drafts.map(({ gap, ...lane }) => {
    const top = bottom + gap;
    bottom = top + lane.height;
    return { ...lane, top };
  });
}

function takeLanes(take: Take, isEditing: boolean): readonly Draft[] {
  const { channels, fixations } = take.info;
  const bandOf = (spans: Band["spans"]): Band => ({ spans, offsetSecs: take.offsetSecs });
  const hands = channels.hands ? HANDS.flatMap((hand) => handLanes(hand, take.info[hand], bandOf)) : [];
  const eyes = channels.gaze ? [bandLane("Fixations", "gaze", bandOf(fixations), 0.75, GAP)] : [];
  return [...flagLane(take, isEditing), ...hands, ...eyes, ...findingLane(take)];
}

/** Two rows where names may be in each other's way; always the same, or everything would jump in zooming. */
function flagLane(take: Take, isEditing: boolean): readonly Draft[] {
  const count = take.info.markers.length;
  if (count === 0 && !isEditing) {
    return [];
  }
  const rows = count > 1 ? 2 : 1;
  return [{ label: "Markers", colour: "marker", height: rows * FLAG_ROW, gap: 4, content: { kind: "flags", rows } }];
}

function handLanes(hand: Hand, info: HandInfo, bandOf: (spans: Band["spans"]) => Band): readonly Draft[] {
  const name = hand === "left" ? "Left" : "Right";
  return [
    bandLane(`${name} tracked`, hand, bandOf(info.tracked), 0.4, GAP),
    bandLane(`${name} pinching`, hand, bandOf(info.pinching), 1, 0),
  ];
}

function bandLane(label: string, colour: string, band: Band, strength: number, gap: number): Draft {
  return { label, colour, height: ROW, gap, content: { kind: "band", band, strength } };
}

function findingLane(take: Take): readonly Draft[] {
  const isSomewhen = ({ spanSecs }: Finding) => spanSecs !== null;
  return take.info.findings.some(isSomewhen)
    ? [{ label: "Findings", colour: "warning", height: ROW, gap: GAP, content: { kind: "findings", take } }]
    : [];
}

/** What is alone needs no strip. */
function strips(visible: readonly Take[]): readonly Draft[] {
  return visible.length < 2
    ? []
    : visible.map((take, n) => ({
        label: take.info.name,
        colour: tintName(take.tint),
        height: ROW,
        gap: n === 0 ? GAP : 0,
        content: { kind: "strip", take },
      }));
}
