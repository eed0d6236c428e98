/** The bar at the top: the active recording, and how it is shown. */

import { useSignalEffect } from "@preact/signals";
import "./bar.css";
import { isAvailable, PAGE, VIEW } from "../commands/commands";
import { ButtonGroup, CommandButton } from "../commands/controls";
import { type AppProperties, IconButton, TextInput } from "../components";
import { chooseFiles } from "../files";
import { ICONS } from "../icons";
import type { HeadsetRecorder } from "../live/recorder";
import { MAX_NAME_CHARS } from "../live/status-bars";
import { PANEL_TOGGLE_ID } from "../panels/tabs";
import type { Theme } from "../state";

export function Bar({ app, recorder }: AppProperties & { readonly recorder: HeadsetRecorder | null }) {
  const { difference, trails, panel } = app.state;
  return (
    <>
      <h1 class="bar-name">holotape</h1>
      <RecordingName app={app} />
      <div class="bar-view">
        <Cameras app={app} />
        {isAvailable(VIEW.arrangement, app) && <Arrangements app={app} />}
        {isAvailable(VIEW.difference, app) && (
          <CommandButton
            app={app}
            icon={ICONS.difference}
            command={VIEW.difference}
            text="Difference"
            aria-pressed={difference.value}
          />
        )}
        <CommandButton app={app} icon={ICONS.trails} command={VIEW.trails} text="Trails" aria-pressed={trails.value} />
      </div>
      <div class="bar-page">
        {recorder && <RecordControls recorder={recorder} />}
        {app.server && (
          <IconButton
            icon={ICONS.open}
            label="Open recordings"
            onClick={() => chooseFiles((files) => app.open(files))}
          />
        )}
        <CommandButton
          app={app}
          icon={ICONS.sidebar}
          command={PAGE.panel}
          id={PANEL_TOGGLE_ID}
          aria-pressed={panel.value !== null}
        />
        <ThemeButton app={app} />
        <CommandButton app={app} icon={ICONS.help} command={PAGE.help} />
      </div>
    </>
  );
}

/** The button is enabled even where recording is unsupported: pressing it then shows why. */
function RecordControls({ recorder }: { readonly recorder: HeadsetRecorder }) {
  const support = recorder.support.value;
  const label = "Record with the headset";
  const isRecording = recorder.status.value !== null;
  return (
    <>
      {support.mode !== null && !isRecording && (
        <TextInput
          class="take-name"
          label="Name of the next take"
          placeholder="Take name"
          maxLength={MAX_NAME_CHARS}
          value={recorder.takeName.value}
          onInput={(name) => {
            recorder.takeName.value = name;
          }}
        />
      )}
      <IconButton
        icon={ICONS.record}
        label={label}
        text="Record"
        class={support.mode === null ? "record unsupported" : "record"}
        title={support.mode === null ? support.reason : label}
        disabled={isRecording}
        onClick={() => void recorder.start()}
      />
    </>
  );
}

function RecordingName({ app: { state } }: AppProperties) {
  useSignalEffect(() => {
    const name = state.active.value?.info.name;
    document.title = name === undefined ? "holotape" : `${name} · holotape`;
  });
  const info = state.active.value?.info;
  if (info === undefined) {
    return <span class="bar-recording" />;
  }
  const { name, format, modified } = info;
  return (
    <span class="bar-recording" title={`${name}, ${format}${modified ? ", not saved" : ""}`}>
      {modified ? `${name} •` : name}
    </span>
  );
}

function Cameras({ app }: AppProperties) {
  const camera = app.state.camera.value;
  const { orbit, follow, head } = VIEW;
  return (
    <ButtonGroup label="Camera">
      <CommandButton app={app} icon={ICONS.orbit} command={orbit} text="Orbit" aria-pressed={camera === "orbit"} />
      <CommandButton app={app} icon={ICONS.follow} command={follow} text="Follow" aria-pressed={camera === "follow"} />
      <CommandButton app={app} icon={ICONS.headset} command={head} text="Head" aria-pressed={camera === "head"} />
    </ButtonGroup>
  );
}

const ARRANGEMENTS = [
  { value: "overlay", icon: ICONS.overlay, label: "Overlay", text: "Overlay" },
  { value: "side", icon: ICONS.sideBySide, label: "Side by side", text: "Side" },
] as const;

function Arrangements({ app }: AppProperties) {
  return (
    <ButtonGroup label="Arrangement">
      {ARRANGEMENTS.map(({ value, ...properties }) => (
        <IconButton
          key={value}
          {...properties}
          aria-pressed={app.state.arrangement.value === value}
          onClick={() => app.view.setArrangement(value)}
        />
      ))}
    </ButtonGroup>
  );
}

const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const THEME_ICONS: Readonly<Record<Theme, string>> = { auto: ICONS.halfSun, light: ICONS.sun, dark: ICONS.moon };

function ThemeButton({ app }: AppProperties) {
  const theme = app.state.theme.value;
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
  const label = `Theme: ${theme === "auto" ? "system" : theme}`;
  return <IconButton icon={THEME_ICONS[theme]} label={label} onClick={() => app.view.setTheme(next)} />;
}
