/** The playback controls: play, step, loop, time, speed, range and zoom. */

import "./transport.css";
import { RANGE, TIME } from "../commands/commands";
import { ButtonGroup, CommandButton } from "../commands/controls";
import { type AppProperties, IconButton } from "../components";
import { ICONS } from "../icons";
import { SPEEDS } from "../playback";
import { clockTime } from "./format";
import { TimeField } from "./time-field";

const ZOOM_FACTOR = 2;

/** Disabled as a whole while no recording is open. */
export function Transport({ app }: AppProperties) {
  return (
    <fieldset class="transport" aria-label="Playback controls" disabled={app.state.active.value === null}>
      <PlayGroup app={app} />
      <TimeDisplay app={app} />
      <SpeedSelect app={app} />
      <div class="transport-space" />
      <RangeGroup app={app} />
      <ZoomGroup app={app} />
    </fieldset>
  );
}

function PlayGroup({ app }: AppProperties) {
  const isPlaying = app.state.playing.value;
  return (
    <div class="transport-group">
      <CommandButton app={app} icon={ICONS.stepBack} command={TIME.stepBack} />
      <CommandButton
        app={app}
        icon={isPlaying ? ICONS.pause : ICONS.play}
        command={TIME.play}
        label={isPlaying ? "Pause" : "Play"}
        class="play"
      />
      <CommandButton app={app} icon={ICONS.stepForward} command={TIME.stepForward} />
      <CommandButton app={app} icon={ICONS.loop} command={TIME.loop} aria-pressed={app.state.looping.value} />
    </div>
  );
}

function TimeDisplay({ app }: AppProperties) {
  return (
    <div class="readout numbers">
      <TimeField app={app} />
      <span class="duration muted">{`/ ${clockTime(app.state.span.value[1])}`}</span>
    </div>
  );
}

function SpeedSelect({ app }: AppProperties) {
  return (
    <select
      class="numbers"
      aria-label="Speed"
      title={`Speed (${TIME.slower.keys[0]} and ${TIME.faster.keys[0]})`}
      value={app.state.speed.value}
      onChange={({ currentTarget }) => app.playback.setSpeed(Number(currentTarget.value))}
    >
      {SPEEDS.map((speed) => (
        <option key={speed} value={speed}>{`${speed}×`}</option>
      ))}
    </select>
  );
}

function RangeGroup({ app }: AppProperties) {
  const range = app.state.range.value;
  return (
    <div class="transport-group">
      <span class="range-text numbers muted">{range && `${clockTime(range[0], 2)} to ${clockTime(range[1], 2)}`}</span>
      <ButtonGroup label="Range">
        <CommandButton app={app} icon={ICONS.rangeStart} command={RANGE.start} />
        <CommandButton app={app} icon={ICONS.rangeEnd} command={RANGE.end} />
        <CommandButton app={app} icon={ICONS.rangeClear} command={RANGE.clear} disabled={range === null} />
      </ButtonGroup>
    </div>
  );
}

function ZoomGroup({ app: { state, playback } }: AppProperties) {
  const [[from, to], [start, end]] = [state.window.value, state.span.value];
  const showsAll = from <= start && to >= end;
  const zoomOut = () => playback.zoomAtPlayhead(ZOOM_FACTOR);
  const zoomIn = () => playback.zoomAtPlayhead(1 / ZOOM_FACTOR);
  return (
    <ButtonGroup label="Zoom">
      <IconButton icon={ICONS.zoomOut} label="Zoom out" disabled={showsAll} onClick={zoomOut} />
      <IconButton icon={ICONS.zoomIn} label="Zoom in" onClick={zoomIn} />
      <IconButton icon={ICONS.zoomAll} label="Show all" disabled={showsAll} onClick={() => playback.zoomToAll()} />
    </ButtonGroup>
  );
}
