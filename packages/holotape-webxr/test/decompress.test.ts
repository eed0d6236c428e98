/** Reads compressed files like others. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { decompress, isCompressed, zstdFrames } from "../src/read/decompress";

afterEach(() => vi.unstubAllGlobals());

const file = readFileSync(fileURLToPath(new URL("../../../testdata/valid/mrtk28_all.bin", import.meta.url)));

test("gzip files have the contents of others", async () => {
  const compressed = gzipSync(file);
  expect([isCompressed(file), isCompressed(compressed)]).toEqual([false, true]);
  expect(Buffer.compare(await decompress(compressed, file.length), file)).toBe(0);
  expect(await decompress(file, 10)).toBe(file);
});

test("contents above the limit are rejected", async () => {
  const bomb = gzipSync(new Uint8Array(1 << 20));
  await expect(decompress(bomb, 1000)).rejects.toThrow("exceeds the limit of 1000 bytes");
});

test("damaged files are rejected", async () => {
  const compressed = gzipSync(file);
  for (const damaged of [compressed.subarray(0, -9), Buffer.concat([compressed.subarray(0, -8), Buffer.alloc(8)])]) {
    await expect(decompress(damaged, file.length)).rejects.toThrow("cannot decompress: invalid gzip data");
  }
});

test("zstd is decompressed, or rejected with advice", async () => {
  const start = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
  await expect(decompress(start, 1000)).rejects.toThrow(/holotape convert|cannot decompress/);
});

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const bytesOf = (...parts: number[][]) => Uint8Array.from(parts.flat());

/** A block of zstd; type 0 has its bytes, type 1 repeats one byte. */
function block(type: number, size: number, bytes: number[], isLast: boolean): number[] {
  const header = (size << 3) | (type << 1) | (isLast ? 1 : 0);
  return [header & 0xff, (header >> 8) & 0xff, header >> 16, ...bytes];
}

/** One byte for the size of the contents, no window, no checksum. */
const SHORT = [...MAGIC, 0x20, 3, ...block(0, 3, [97, 98, 99], true)];
/** A window, a dictionary of four bytes, eight bytes for the size of the contents, two blocks, a checksum. */
const LONG_HEADER = [...MAGIC, 0xc7, 0x58, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0];
const LONG = [...LONG_HEADER, ...block(1, 70000, [7], false), ...block(0, 2, [98, 99], true), 1, 2, 3, 4];
const SKIPPABLE = [0x5f, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9];

test("zstd data is split into frames", () => {
  const split = zstdFrames(bytesOf(SKIPPABLE, SHORT, LONG, SKIPPABLE, SHORT));
  expect(split.map((frame) => [...frame])).toEqual([SHORT, LONG, SHORT]);
  expect(isCompressed(bytesOf(SKIPPABLE))).toBe(true);
  expect(zstdFrames(bytesOf(SKIPPABLE))).toEqual([]);
});

test("zstd data that ends within a frame is rejected", () => {
  const file = bytesOf(SHORT, LONG, SKIPPABLE);
  const ends = new Set([0, SHORT.length, SHORT.length + LONG.length, file.length]);
  for (let end = 0; end <= file.length; end += 1) {
    const split = () => zstdFrames(file.subarray(0, end));
    if (ends.has(end)) {
      split();
    } else {
      expect(split, `${end} bytes`).toThrow(
        /cannot decompress: invalid zstd data \(the frame at byte \d+ is truncated\)/,
      );
    }
  }
  expect(() => zstdFrames(bytesOf(SHORT, [1, 2, 3, 4, 5]))).toThrow(`no frame at byte ${SHORT.length}`);
});

test("zstd data of very many frames is rejected", () => {
  const frames = (count: number) =>
    Uint8Array.from({ length: count * SHORT.length }, (_, n) => SHORT[n % SHORT.length] ?? 0);
  expect(zstdFrames(frames(10_000))).toHaveLength(10_000);
  expect(() => zstdFrames(frames(10_001))).toThrow("more than 10000 frames");
});

test("each zstd frame is decompressed on its own, up to a limit in all", async () => {
  class OneShortFrame extends TransformStream<Uint8Array, Uint8Array> {
    constructor() {
      super({
        transform(chunk, controller) {
          expect([...chunk]).toEqual(SHORT);
          controller.enqueue(chunk.subarray(-3));
        },
      });
    }
  }
  vi.stubGlobal("DecompressionStream", OneShortFrame);
  const file = bytesOf(SHORT, SKIPPABLE, SHORT);
  expect(Buffer.from(await decompress(file, 6)).toString()).toBe("abcabc");
  await expect(decompress(file, 5)).rejects.toThrow("exceeds the limit of 5 bytes");
});
