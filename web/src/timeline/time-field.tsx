/** The current time, which can be typed over. */

import { useEffect, useRef } from "preact/hooks";
import type { AppProperties } from "../components";
import { clockTime, parseClockTime } from "./format";
import { oncePerFrame } from "./once-per-frame";

export function TimeField({ app }: AppProperties) {
  const { time } = app.state;
  const input = useRef<HTMLInputElement>(null);
  const isTyping = useRef(false);
  const show = () => {
    if (input.current !== null && !isTyping.current) {
      input.current.value = clockTime(time.value);
    }
  };
  // Written directly: rendering the component for every frame is slower.
  useEffect(() => oncePerFrame(() => time.value, show), [time]);
  const commit = () => {
    const typed = isTyping.current ? parseClockTime(input.current?.value ?? "") : null;
    isTyping.current = false;
    if (typed !== null) {
      app.playback.seek(typed);
    }
    show();
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    isTyping.current &&= key !== "Escape";
    if (key === "Enter" || key === "Escape") {
      input.current?.blur();
    }
  };
  return (
    <input
      ref={input}
      type="text"
      class="time-field"
      inputMode="decimal"
      autoComplete="off"
      spellcheck={false}
      aria-label="Time, in seconds or minutes and seconds"
      title="Type a time: 2.5 or 1:02.5"
      onFocus={({ currentTarget }) => currentTarget.select()}
      onInput={() => {
        isTyping.current = true;
      }}
      onBlur={commit}
      onKeyDown={onKeyDown}
    />
  );
}
