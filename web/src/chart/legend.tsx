/** The legend of the chart, with the values at the playhead. */

import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { CurveKind } from "../api";
import type { App } from "../app";
import { IconButton } from "../components";
import { ICONS } from "../icons";
import { formatCount, formatFixed } from "../number-format";
import { valueAt } from "../recording/evaluate";
import { toLocalTime } from "../state";
import type { Line, PickedCurve } from "./lines";

const KIND_NAMES: Readonly<Record<CurveKind, string>> = { linear: "linear", bezier: "Bézier", bool: "steps" };
/** A resolution of 0.1 mm for values in metres. */
const DIGITS = 4;
/** Faster updates cannot be read, and drawing text is slow. */
const REFRESH_MS = 80;

interface LegendProperties {
  readonly app: App;
  readonly picked: ReadonlySignal<readonly PickedCurve[]>;
  readonly onHighlight: (name: string | null) => void;
}

export function Legend({ app, picked, onHighlight }: LegendProperties) {
  const time = useThrottled(app.state.time);
  return (
    <ul class="curve-legend" aria-label="Curves shown, with current values">
      {picked.value.map(({ name, colour, own, other }) => (
        <li
          key={name}
          onPointerEnter={() => onHighlight(name)}
          onFocusIn={() => onHighlight(name)}
          onPointerLeave={() => onHighlight(null)}
          onFocusOut={() => onHighlight(null)}
        >
          <CurveSwatch colour={colour} />
          <span class="curve-name" title={name}>
            {name}
          </span>
          <Value line={own} time={time} />
          <IconButton
            icon={ICONS.close}
            label={`Remove ${name}`}
            onClick={() => {
              onHighlight(null);
              app.view.showCurves([name], false);
            }}
          />
          <span class="muted">{curveSummary(own)}</span>
          <span class="curve-other" title={other?.recording.info.name}>
            {other && <CurveSwatch colour={colour} isDashed />}
            {other && <Value line={other} time={time} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The value of a signal, updated at most every 80 ms. */
function useThrottled(source: ReadonlySignal<number>): number {
  const shown = useSignal(source.peek());
  const isScheduled = useRef(false);
  useSignalEffect(() => {
    if (source.value !== shown.peek() && !isScheduled.current) {
      isScheduled.current = true;
      setTimeout(() => {
        isScheduled.current = false;
        shown.value = source.peek();
      }, REFRESH_MS);
    }
  });
  return shown.value;
}

function CurveSwatch({ colour, isDashed = false }: { readonly colour: string; readonly isDashed?: boolean }) {
  const className = isDashed ? "curve-swatch dashed" : "curve-swatch";
  return <span class={className} aria-hidden="true" style={{ "--swatch": `var(--${colour})` }} />;
}

function Value({ line, time }: { readonly line: Line | null; readonly time: number }) {
  return (
    <output class="numbers" aria-live="off">
      {line && formatValue(line, time)}
    </output>
  );
}

function curveSummary(line: Line | null): string {
  if (line === null) {
    return "not in this recording";
  }
  const { curve, recording } = line;
  return recording.hasAllKeys
    ? `${KIND_NAMES[curve.kind]}, ${formatCount(curve.times.length, "key")}`
    : `overview, ${formatCount(curve.times.length, "key")}`;
}

function formatValue({ curve, recording, scale }: Line, time: number): string {
  const localTime = toLocalTime(recording, time);
  if (localTime < 0 || localTime > recording.info.duration_secs) {
    return "–";
  }
  const value = valueAt(curve, localTime);
  if (curve.kind === "bool") {
    return value > 0.5 ? "on" : "off";
  }
  return Number.isFinite(value) ? `${formatFixed(value, DIGITS)}${scale === "metres" ? " m" : ""}` : "not finite";
}
