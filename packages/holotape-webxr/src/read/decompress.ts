/** Decompresses `.bin.gz` and `.bin.zst`, detected by content. */

import { RecordingError } from "./error";

const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

export function isCompressed(bytes: Uint8Array): boolean {
  return formatOf(bytes) !== null;
}

/** Returns other bytes unchanged. Fails as soon as there are more than `maxBytes`. */
export async function decompress(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const format = formatOf(bytes);
  if (format === null) {
    return bytes;
  }
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(decompressor(format)).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value } = await reader.read().catch((error: unknown) => {
      throw invalid(`cannot decompress: invalid ${format} data (${String(error)})`);
    });
    if (value === undefined) {
      return concat(chunks, length);
    }
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel();
      const message = `the decompressed file exceeds the limit of ${maxBytes} bytes`;
      throw new RecordingError("limit-exceeded", message, maxBytes, "end");
    }
    chunks.push(value);
  }
}

function formatOf(bytes: Uint8Array): "gzip" | "zstd" | null {
  const startsWith = (magic: readonly number[]) => magic.every((byte, index) => bytes[index] === byte);
  return startsWith(GZIP) ? "gzip" : startsWith(ZSTD) ? "zstd" : null;
}

/** Browsers and Node decompress gzip; few decompress zstd. */
function decompressor(format: "gzip" | "zstd"): ReadableWritablePair<Uint8Array, BufferSource> {
  try {
    return new DecompressionStream(format as CompressionFormat) as ReadableWritablePair<Uint8Array, BufferSource>;
  } catch {
    const advice = "convert it with `holotape convert recording.bin.zst recording.bin`";
    throw invalid(`compressed with ${format}, which this environment cannot decompress; ${advice}`);
  }
}

function invalid(message: string): RecordingError {
  return new RecordingError("invalid", message, 0, "header");
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
