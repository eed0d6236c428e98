/** Loads the curves of a recording: from the server, or from data of an exported page. Runs on the main thread and in a worker. */

import { decodeBase64 } from "../recording/base64";
import { decodeCurvePack, type RecordingCurves } from "../recording/decode";
import { fetchApi, unreachable } from "./fetch-api";

/** A path of the API, or a gzipped curve pack in base64. */
export type CurvePackSource = { readonly path: string } | { readonly base64: Blob };

type Bytes = Uint8Array<ArrayBuffer>;

/** `onProgress` gets the fraction that is loaded, if the size is known. */
export async function loadCurves(
  source: CurvePackSource,
  onProgress: (fraction: number) => void,
): Promise<RecordingCurves> {
  return decodeCurvePack(
    "path" in source ? await download(source.path, onProgress) : decompress(source.base64, onProgress),
  );
}

async function download(path: string, onProgress: (fraction: number) => void): Promise<ReadableStream<Bytes>> {
  const { body, headers } = await fetchApi(path);
  if (body === null) {
    throw new Error("empty response of the server; reload the page");
  }
  // The length of the response is that of the compressed data.
  const total = Number(headers.get("holotape-decompressed-bytes"));
  return reported(body, total, onProgress, unreachable);
}

function decompress(base64: Blob, onProgress: (fraction: number) => void): ReadableStream<Bytes> {
  const text = reported(base64.stream(), base64.size, onProgress, (error) => {
    throw error;
  });
  return text.pipeThrough(base64Decoder()).pipeThrough(new DecompressionStream("gzip"));
}

/** Reports the fraction of a stream that has been read. */
function reported(
  stream: ReadableStream<Bytes>,
  total: number,
  onProgress: (fraction: number) => void,
  onError: (error: unknown) => never,
): ReadableStream<Bytes> {
  const reader = stream.getReader();
  let loaded = 0;
  return new ReadableStream<Bytes>(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read().catch(onError);
        if (done) {
          controller.close();
          return;
        }
        loaded += value.length;
        if (total > 0) {
          onProgress(loaded / total);
        }
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Decodes base64 in chunks of any length. */
function base64Decoder(): TransformStream<Bytes, Bytes> {
  const decoder = new TextDecoder();
  let rest = "";
  return new TransformStream({
    transform: (chunk, controller) => {
      const text = rest + decoder.decode(chunk);
      const end = text.length - (text.length % 4);
      controller.enqueue(decodeBase64(text.slice(0, end)));
      rest = text.slice(end);
    },
  });
}
