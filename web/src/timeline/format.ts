/** Formats and parses times. */

/** `1:02.500`, or `1:00:02.500` from one hour on. */
export function clockTime(secs: number, decimals = 3): string {
  const unit = 10 ** decimals;
  // Rounds first, so that 59.9996 s becomes a minute.
  const units = Math.round(Math.abs(secs) * unit);
  const wholeSecs = Math.floor(units / unit);
  const fraction = decimals === 0 ? "" : `.${zeroPadded(units % unit, decimals)}`;
  const [hours, minutes] = [Math.floor(wholeSecs / 3600), Math.floor(wholeSecs / 60) % 60];
  const upToMinutes = hours > 0 ? `${hours}:${zeroPadded(minutes, 2)}` : `${minutes}`;
  return `${secs < 0 && units > 0 ? "−" : ""}${upToMinutes}:${zeroPadded(wholeSecs % 60, 2)}${fraction}`;
}

function zeroPadded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}

/** Parses the output of `clockTime`, or plain seconds; `null` if the text is neither. */
export function parseClockTime(text: string): number | null {
  const match = /^\s*([-−]?)((?:\d+:){0,2})(\d+(?:[.,]\d*)?|[.,]\d+)\s*s?\s*$/.exec(text);
  if (match === null) {
    return null;
  }
  const [, sign, hoursAndMinutes = "", seconds = ""] = match;
  const parts = [...hoursAndMinutes.split(":").slice(0, -1), seconds.replace(",", ".")];
  const secs = parts.reduce((sum, part) => 60 * sum + Number(part), 0);
  return sign === "" ? secs : -secs;
}

export function signedSecs(secs: number): string {
  return `${secs < 0 ? "−" : "+"}${Math.abs(secs).toFixed(3)} s`;
}

/** For screen readers: `1 min 2.50 s`. */
export function accessibleTime(secs: number): string {
  const hundredths = Math.round(Math.abs(secs) * 100);
  const minutes = Math.floor(hundredths / 6000);
  const seconds = `${((hundredths % 6000) / 100).toFixed(2)} s`;
  return `${secs < 0 && hundredths > 0 ? "minus " : ""}${minutes > 0 ? `${minutes} min ` : ""}${seconds}`;
}
