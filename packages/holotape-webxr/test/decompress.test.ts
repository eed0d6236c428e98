/** Reads compressed files like others. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decompress, isCompressed } from "../src/read/decompress";

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
