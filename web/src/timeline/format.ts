/** Times in words and figures, and back. */

/** `1:02.500`, or `1:00:02.500` from an hour on. */
export function clockTime(secs: number, decimals = 3): string {
  const unit = 10 ** decimals;
  // Rounded first: 59.9996 s are a minute, not sixty seconds.
  const units = Math.round(Math.abs(secs) * unit);
  const whole = Math.floor(units / unit);
  const fraction = decimals === 0 ? "" : `.${zeroPadded(units % unit, decimals)}`;
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const upToMinutes = hours > 0 ? `${hours}:${zeroPadded(minutes, 2)}` : `${minutes}`;
  return `${secs < 0 && units > 0 ? "−" : ""}${upToMinutes}:${zeroPadded(whole % 60, 2)}${fraction}`;
}

function zeroPadded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}

/** Reads what `clockTime` writes, and plain seconds; nothing if it is neither. */
export function parseClockTime(text: string): number | null {
  const match = /^\s*([-−]?)((?:\d+:){0,2})(\d+(?:[.,]\d*)?|[.,]\d+)\s*s?\s*$/.exec(text);
  if (match === null) {
    return null;
  }
  const [, sign, larger = "", seconds = ""] = match;
  const parts = [...larger.split(":").slice(0, -1), seconds.replace(",", ".")];
  const secs = parts.reduce((sum, part) => 60 * sum + Number(part), 0);
  return sign === "" ? secs : -secs;
}

/** As people say it: `1 min 2.50 s`. */
export function accessibleTime(secs: number): string {
  const hundredths = Math.round(Math.abs(secs) * 100);
  const minutes = Math.floor(hundredths / 6000);
  const seconds = `${((hundredths % 6000) / 100).toFixed(2)} s`;
  return `${secs < 0 && hundredths > 0 ? "minus " : ""}${minutes > 0 ? `${minutes} min ` : ""}${seconds}`;
}
