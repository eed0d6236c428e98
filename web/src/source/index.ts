/** Selects the source of recordings: the page itself if it was exported, otherwise the server. */

import { EmbeddedSource, isEmbedded } from "./embedded";
import { type RecordingProvider, ServerSource } from "./server";

export function createProvider(): RecordingProvider {
  return isEmbedded() ? new EmbeddedSource() : new ServerSource();
}
