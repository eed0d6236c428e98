/** Figures of one recording. */

import type { HandInfo, RecordingInfo, Span } from "../api";
import { formatCount, formatPercent } from "../number-format";
import { Muted } from "./panel";

/** Tracking that ends this close to the end of the recording was not lost. */
const END_TOLERANCE_SECS = 1e-3;

interface SummaryProperties {
  readonly info: RecordingInfo;
}

export function RecordingSummary({ info }: SummaryProperties) {
  return (
    <div class="summary">
      <h3>{info.name}</h3>
      {info.channels.hands ? <HandTable info={info} /> : <Muted>No hands in this recording.</Muted>}
      <Muted>{otherCounts(info).join(" · ")}</Muted>
      {info.losses.length > 0 && (
        <div>
          <h3>Not converted</h3>
          <ul>
            {info.losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function HandTable({ info: { left, right, duration_secs: durationSecs } }: SummaryProperties) {
  const rows: readonly (readonly [string, (hand: HandInfo) => string])[] = [
    ["Tracked", (hand) => (durationSecs > 0 ? formatPercent(totalSecs(hand.tracked) / durationSecs) : "–")],
    ["Tracking lost", (hand) => formatCount(lossCount(hand, durationSecs), "time")],
    ["Pinches", (hand) => `${hand.pinching.length}`],
  ];
  return (
    <table>
      <thead>
        <tr>
          <td />
          <th scope="col" class="of-left">
            Left
          </th>
          <th scope="col" class="of-right">
            Right
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, format]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td class="numbers">{format(left)}</td>
            <td class="numbers">{format(right)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function otherCounts({ channels, fixations, markers }: RecordingInfo): string[] {
  return [
    ...(channels.camera ? [] : ["no head"]),
    channels.gaze ? formatCount(fixations.length, "fixation") : "no gaze",
    formatCount(markers.length, "marker"),
  ];
}

function totalSecs(spans: readonly Span[]): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}

function lossCount({ tracked }: HandInfo, durationSecs: number): number {
  return tracked.filter(([, to]) => to < durationSecs - END_TOLERANCE_SECS).length;
}
