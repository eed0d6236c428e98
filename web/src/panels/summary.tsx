/** Figures of one recording. */

import type { HandInfo, RecordingInfo } from "../api";
import { formatCount, formatPercent } from "../number-format";
import { Muted } from "./panel";

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
    ["Tracked", (hand) => (durationSecs > 0 ? formatPercent(hand.tracked_secs / durationSecs) : "–")],
    ["Tracking lost", (hand) => formatCount(hand.tracking_loss_count, "time")],
    ["Pinches", (hand) => formatCount(hand.pinch_count, "", "")],
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

function otherCounts({ channels, fixation_count, markers }: RecordingInfo): string[] {
  const fixations = fixation_count === null ? "too long for gaze analysis" : formatCount(fixation_count, "fixation");
  return [
    ...(channels.camera ? [] : ["no head"]),
    channels.gaze ? fixations : "no gaze",
    formatCount(markers.length, "marker"),
  ];
}
