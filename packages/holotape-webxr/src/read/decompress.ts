/** Decompresses `.bin.gz` and `.bin.zst`, detected by content. */

import { RecordingError } from "./error";

const GZIP = 0x8b1f;
const ZSTD = 0xfd2fb528;
/** A file of holotape has a frame per 2 MiB. Each costs a stream, even if it is empty. */
const MAX_ZSTD_FRAMES = 10_000;
/** The last four bits are free. */
const SKIPPABLE_ZSTD = 0x184d2a50;

export function isCompressed(bytes: Uint8Array): boolean {
  return formatOf(bytes) !== null;
}

/** Returns other bytes unchanged. Fails as soon as there are more than `maxBytes`. */
export async function decompress(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const format = formatOf(bytes);
  if (format === null) {
    return bytes;
  }
  // A DecompressionStream need not accept several frames of zstd.
  const parts = format === "zstd" ? zstdFrames(bytes) : [bytes];
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const part of parts) {
    const reader = new Blob([part as BlobPart]).stream().pipeThrough(decompressor(format)).getReader();
    for (;;) {
      const { value } = await reader.read().catch((error: unknown) => {
        throw damaged(format, String(error));
      });
      if (value === undefined) {
        break;
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
  return concat(chunks, length);
}

function formatOf(bytes: Uint8Array): "gzip" | "zstd" | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 2 && view.getUint16(0, true) === GZIP) {
    return "gzip";
  }
  const magic = bytes.length >= 4 ? view.getUint32(0, true) : 0;
  return magic === ZSTD || isSkippableZstd(magic) ? "zstd" : null;
}

function isSkippableZstd(magic: number): boolean {
  return magic >>> 4 === SKIPPABLE_ZSTD >>> 4;
}

/** Splits zstd data into its frames, and leaves out skippable ones. RFC 8878 has the layout. */
export function zstdFrames(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Uint8Array[] = [];
  let start = 0;
  while (start < bytes.length) {
    try {
      const magic = view.getUint32(start, true);
      const isSkippable = isSkippableZstd(magic);
      if (!isSkippable && magic !== ZSTD) {
        throw damaged("zstd", `no frame at byte ${start}`);
      }
      const end = isSkippable ? start + 8 + view.getUint32(start + 4, true) : zstdFrameEnd(view, start);
      if (end > bytes.length) {
        throw new RangeError("outside");
      }
      if (!isSkippable) {
        frames.push(bytes.subarray(start, end));
        if (frames.length > MAX_ZSTD_FRAMES) {
          const message = `the file has more than ${MAX_ZSTD_FRAMES} frames of zstd`;
          throw new RecordingError("limit-exceeded", message, start, "end");
        }
      }
      start = end;
    } catch (error) {
      throw error instanceof RangeError ? damaged("zstd", `the frame at byte ${start} is truncated`) : error;
    }
  }
  return frames;
}

/** Reading outside of the view is a RangeError. */
function zstdFrameEnd(view: DataView, start: number): number {
  const descriptor = view.getUint8(start + 4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const contentSizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  let at = start + 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + contentSizeBytes;
  for (let isLast = false; !isLast; ) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const isOneByte = ((header >> 1) & 3) === 1;
    isLast = (header & 1) !== 0;
    at += 3 + (isOneByte ? 1 : header >> 3);
  }
  const hasChecksum = (descriptor & 4) !== 0;
  return at + (hasChecksum ? 4 : 0);
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

function damaged(format: string, cause: string): RecordingError {
  return invalid(`cannot decompress: invalid ${format} data (${cause})`);
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
