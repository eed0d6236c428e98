/** Elements that several parts of the page use. */

import type { ButtonHTMLAttributes } from "preact";
import { recordingColorName } from "./theme";

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
