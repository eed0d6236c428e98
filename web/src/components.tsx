/** Elements that several parts of the page use. */

import type { ButtonHTMLAttributes, FormHTMLAttributes, Ref } from "preact";
import type { App } from "./app";
import type { OpenRecording } from "./state";
import { recordingColorName } from "./theme";

/** The properties of a component that needs the app only. */
export interface AppProperties {
  readonly app: App;
}

export interface RecordingProperties extends AppProperties {
  readonly recording: OpenRecording;
}

/** One of `ICONS`, stroked in the text colour. */
export function Icon({ path }: { readonly path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

export type ButtonAttributes = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon" | "label">;

interface IconButtonProperties extends ButtonAttributes {
  readonly icon: string;
  /** The accessible name and tooltip. */
  readonly label: string;
  /** A short text next to the icon, hidden on narrow screens. */
  readonly text?: string;
}

export function IconButton({ icon, label, text, class: className = "", ...attributes }: IconButtonProperties) {
  const classes = `icon-button ${text === undefined ? "" : "with-text"} ${className}`;
  return (
    <button type="button" class={classes} aria-label={label} title={label} {...attributes}>
      <Icon path={icon} />
      {text !== undefined && (
        <span class="icon-button-text" aria-hidden="true">
          {text}
        </span>
      )}
    </button>
  );
}

/** A square in the colour of a recording. */
export function Swatch({ class: className, colorIndex }: { readonly class: string; readonly colorIndex: number }) {
  return (
    <span class={className} aria-hidden="true" style={{ background: `var(--${recordingColorName(colorIndex)})` }} />
  );
}

interface FormProperties extends Omit<FormHTMLAttributes<HTMLFormElement>, "onSubmit"> {
  readonly onSubmit: () => void;
}

/** A form that is handled by the page. */
export function Form({ onSubmit, ...attributes }: FormProperties) {
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit();
  };
  return <form {...attributes} onSubmit={submit} />;
}

interface TextInputProperties {
  /** The accessible name. */
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly class?: string;
  readonly focusKey?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
}

export function TextInput({ label, onInput, focusKey, inputRef = null, ...rest }: TextInputProperties) {
  const input = ({ currentTarget }: { currentTarget: HTMLInputElement }) => onInput(currentTarget.value);
  return <input type="text" aria-label={label} data-key={focusKey} ref={inputRef} onInput={input} {...rest} />;
}

interface NumberInputProperties {
  readonly label: string;
  readonly value: number;
  readonly onInput: (value: number) => void;
}

export function NumberInput({ label, value, onInput }: NumberInputProperties) {
  const input = ({ currentTarget }: { currentTarget: HTMLInputElement }) => onInput(currentTarget.valueAsNumber);
  return <input type="number" step="any" min={0} required aria-label={label} value={value} onInput={input} />;
}
