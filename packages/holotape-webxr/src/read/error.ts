/** The error for invalid recordings. */

export type RecordingErrorKind = "not-a-recording" | "unsupported-version" | "truncated" | "invalid" | "limit-exceeded";

/**
 * A file that is not a recording, or a damaged one.
 *
 * ```ts
 * try {
 *   await installRecording(page, "press.csv");
 * } catch (error) {
 *   if (error instanceof RecordingError) console.error(error.kind, error.message);
 * }
 * ```
 */
export class RecordingError extends Error {
  override readonly name = "RecordingError";

  constructor(
    readonly kind: RecordingErrorKind,
    message: string,
    /** The offset of the invalid byte. */
    readonly offset: number,
    /** `header`, `left IndexTip rotation.w, key 3`, `marker 2`. */
    readonly location: string,
  ) {
    super(`${message} (${location}, byte ${offset})`);
  }
}
