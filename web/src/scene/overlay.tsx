/** What lies over the scene: names, notes and the difference in a corner, labels at positions, and views along the axes. */

import { type PerspectiveCamera, Vector3 } from "three";
import { VIEW } from "../commands/commands";
import { CommandButton } from "../commands/controls";
import { type AppProperties, Swatch } from "../components";
import { ICONS } from "../icons";
import type { SceneRecording } from "../state";
import { type DifferenceStats, type DifferenceSummary, FULL_SCALE_MM } from "./difference";
import { viewportSize } from "./line-batch";

export interface HudContent {
  readonly recordings: readonly { readonly recording: SceneRecording; readonly notes: readonly string[] }[];
  readonly notes: readonly { readonly text: string; readonly help: string }[];
  /** `null` if the difference is not shown. */
  readonly difference: DifferenceSummary | null;
}

export interface Label {
  readonly text: string;
  /** In the scene. */
  readonly position: Vector3;
  /** A colour name of the style sheet. */
  readonly colorName: string;
}

interface CompassProperties {
  readonly camera: PerspectiveCamera;
  /** Called with the direction from which to look. */
  readonly onPick: (from: Vector3) => void;
}

interface OverlayProperties extends AppProperties, CompassProperties {
  readonly hud: HudContent;
  readonly labels: readonly Label[];
  readonly isFirstPerson: boolean;
}

export function Overlay({ app, hud, labels, camera, isFirstPerson, onPick }: OverlayProperties) {
  return (
    <>
      <Hud {...hud} />
      <div class="scene-labels" aria-hidden="true">
        {labels.map((label) => (
          <LabelView key={`${label.colorName} ${label.text}`} label={label} camera={camera} />
        ))}
      </div>
      <div class="scene-views" hidden={isFirstPerson}>
        <Compass camera={camera} onPick={onPick} />
        <CommandButton app={app} icon={ICONS.frame} command={VIEW.frame} />
      </div>
    </>
  );
}

function Hud({ recordings, notes, difference }: HudContent) {
  return (
    <div class="scene-hud">
      {recordings.map(({ recording: { info, colorIndex, live }, notes }) => (
        <div key={info.id} class="scene-recording">
          {live ? <span class="live-mark">LIVE</span> : <Swatch class="scene-swatch" colorIndex={colorIndex} />}
          <span class="scene-name" title={info.name}>
            {info.name}
          </span>
          {notes.map((note) => (
            <span key={note} class="scene-note">
              {note}
            </span>
          ))}
        </div>
      ))}
      {notes.map(({ text, help }) => (
        <div key={text} class="muted" title={help}>
          {text}
        </div>
      ))}
      {difference && <Difference {...difference} />}
    </div>
  );
}

function Difference({ distance, rotation }: DifferenceSummary) {
  if (distance === null && rotation === null) {
    return <div class="muted">nothing to compare at this time</div>;
  }
  return (
    <>
      {distance && <Figures label="distance" unit=" mm" stats={distance} />}
      {rotation && <Figures label="rotation" unit="°" stats={rotation} />}
      {distance && (
        <div
          class="scene-scale numbers"
          role="img"
          aria-label={`Colours: green for 0 mm to red for ${FULL_SCALE_MM} mm and more`}
        >
          0<span class="scene-ramp" />
          {`${FULL_SCALE_MM} mm+`}
        </div>
      )}
    </>
  );
}

interface FiguresProperties {
  readonly label: string;
  readonly unit: string;
  readonly stats: DifferenceStats;
}

function Figures({ label, unit, stats: { mean, max, subject } }: FiguresProperties) {
  const format = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)}${unit}`;
  return (
    <>
      <div class="numbers">{`${label}: mean ${format(mean)}, max ${format(max)}`}</div>
      {format(max) !== format(0) && <div class="muted">{`max at ${subject}`}</div>}
    </>
  );
}

function LabelView({ label, camera }: { readonly label: Label; readonly camera: PerspectiveCamera }) {
  const { x, y, z } = label.position.clone().project(camera);
  const { x: width, y: height } = viewportSize.value;
  const translate = `${(0.5 + 0.5 * x) * width}px ${(0.5 - 0.5 * y) * height}px`;
  return (
    <span class="scene-label" hidden={z > 1} style={{ "--label": `var(--${label.colorName})`, translate }}>
      {label.text}
    </span>
  );
}

/** Axes under Unity's names, with directions in the coordinates of the scene. */
const AXES = [
  { name: "x", label: "View from the right, along x", direction: new Vector3(1, 0, 0) },
  { name: "y", label: "View from above, along y", direction: new Vector3(0, 1, 0) },
  { name: "z", label: "View from the front, along z", direction: new Vector3(0, 0, -1) },
];
const REACH_PX = 24;

/** Shows the axes. A click looks along one. */
function Compass({ camera, onPick }: CompassProperties) {
  const arms = AXES.map((axis) => {
    const end = axis.direction.clone().transformDirection(camera.matrixWorldInverse).multiplyScalar(REACH_PX);
    return { ...axis, end };
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend, which a compass does not have.
    <div class="scene-compass" role="group" aria-label="Views along the axes">
      <svg viewBox="-32 -32 64 64" aria-hidden="true">
        {arms.map(({ name, end }) => (
          <line key={name} class={name} x2={end.x} y2={-end.y} />
        ))}
      </svg>
      {arms.map(({ name, label, direction, end }) => (
        <button
          key={name}
          type="button"
          class={name}
          aria-label={label}
          title={label}
          style={{ translate: `${end.x}px ${-end.y}px`, zIndex: end.z > 0 ? "1" : "0" }}
          onClick={() => onPick(direction)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
