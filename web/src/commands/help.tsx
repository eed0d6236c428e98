/** The help dialog: all keys and gestures that are available now. */

import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import "./help.css";
import type { App } from "../app";
import { type AppProperties, IconButton } from "../components";
import { ICONS } from "../icons";
import { GROUPS, isAvailable } from "./commands";
import { keyCaps } from "./keys";

interface Gesture {
  readonly gesture: string;
  readonly label: string;
  readonly when?: (app: App) => boolean;
}

const canEdit = (app: App) => app.canEdit;
const hasSeveral = ({ state }: App) => state.recordings.value.length > 1;

const GESTURES: readonly { readonly title: string; readonly gestures: readonly Gesture[] }[] = [
  {
    title: "In the scene",
    gestures: [
      { gesture: "Drag, or arrows", label: "Rotate" },
      { gesture: "Right drag, two fingers, or Shift + arrows", label: "Pan" },
      { gesture: "Wheel, pinch, or + and −", label: "Zoom" },
      { gesture: "Double click", label: "Frame all motion" },
    ],
  },
  {
    title: "On the timeline",
    gestures: [
      { gesture: "Drag", label: "Seek" },
      { gesture: "Shift + drag", label: "Select a range" },
      { gesture: "Wheel, or pinch", label: "Zoom" },
      { gesture: "Shift + wheel", label: "Pan" },
      { gesture: "Drag a handle", label: "Change the range" },
      { gesture: "Drag a strip", label: "Align recordings in time", when: hasSeveral },
      { gesture: "Drag a flag", label: "Move a marker", when: canEdit },
      { gesture: "Double click in the marker lane", label: "Add a marker", when: canEdit },
    ],
  },
];

export function Help({ app }: AppProperties) {
  const dialog = useRef<HTMLDialogElement>(null);
  useSignalEffect(() => (app.state.helpOpen.value ? dialog.current?.showModal() : dialog.current?.close()));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog.
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={() => app.view.setHelpOpen(false)}
      // A click on the backdrop has the dialog itself as its target.
      onClick={(event) => event.target === dialog.current && app.view.setHelpOpen(false)}
    >
      <header class="help-head">
        <h2 id="help-title">Keys and gestures</h2>
        <IconButton icon={ICONS.close} label="Close" onClick={() => app.view.setHelpOpen(false)} />
      </header>
      <div class="help-body">{app.state.helpOpen.value && <Sections app={app} />}</div>
      <footer class="help-foot">{`holotape ${app.state.viewer.version}`}</footer>
    </dialog>
  );
}

function Sections({ app }: AppProperties) {
  const keys = GROUPS.map(({ title, commands }) => ({
    title,
    rows: commands
      .filter((command) => isAvailable(command, app))
      .map(({ label, keys }) => ({ label, how: <Keys names={keys} /> })),
  }));
  const gestures = GESTURES.map(({ title, gestures }) => ({
    title,
    rows: gestures.filter(({ when }) => when?.(app) ?? true).map(({ label, gesture }) => ({ label, how: gesture })),
  }));
  const sections = [...keys, ...gestures].filter(({ rows }) => rows.length > 0);
  return sections.map(({ title, rows }) => (
    <section key={title}>
      <h3>{title}</h3>
      <dl>
        {rows.map(({ label, how }) => (
          <div key={label}>
            <dt>{how}</dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  ));
}

function Keys({ names }: { readonly names: readonly string[] }) {
  return names.map((name, n) => [
    n > 0 && " or ",
    <span key={name} class="help-keys">
      {keyCaps(name).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>,
  ]);
}
