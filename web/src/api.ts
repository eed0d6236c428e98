/** Types of the server's HTTP API, which `docs/viewer.md` describes. They are generated from the Rust types. */

export type * from "./generated/api";

/** Start and end, in seconds of the recording. */
export type Span = readonly [number, number];
