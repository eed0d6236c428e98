/** What is wrong with bytes that should be a recording, for the person who has the file. */

export type RecordingErrorKind = "notARecording" | "unsupportedVersion" | "truncated" | "invalid" | "limitExceeded";

/**
 * A file that is no recording, or a broken one.
 *
 * ```ts
 * try {
 *   await installRecording(page, "take.csv");
 * } catch (error) {
 *   if (error instanceof RecordingError) console.error(error.kind, error.message);
 * }
 * ```
 */
export class RecordingError extends Error {
  override readonly name = "RecordingError";

  constructor(
    readonly kind: RecordingErrorKind,
    words: string,
    /** The byte that shows the fault. */
    readonly offset: number,
    /** `header`, `left IndexTip rotation.w, key 3`, `marker 2`. */
    readonly location: string,
  ) {
    super(`${words} (${location}, byte ${offset})`);
  }
}
