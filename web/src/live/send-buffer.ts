/** Records that the server has not acknowledged, in order, in reused chunks of memory. */

import { countWhile } from "../search";

const CHUNK_BYTES = 1 << 17;
const CHUNK_RECORDS = 1 << 10;

interface Chunk {
  readonly bytes: Uint8Array;
  /** The end offset of each record. */
  readonly ends: Uint32Array;
  /** The number of the chunk's first record. */
  first: number;
  count: number;
}

export class SendBuffer {
  private chunks: Chunk[] = [];
  private spare: Chunk | null = null;
  /** The number of the first record in the buffer. */
  first = 0;
  /** The number of the next record. */
  end = 0;
  byteLength = 0;

  get length(): number {
    return this.end - this.first;
  }

  push(record: Uint8Array): void {
    const chunk = this.chunkFor(record.length);
    const from = endOf(chunk, chunk.count - 1);
    chunk.bytes.set(record, from);
    chunk.ends[chunk.count] = from + record.length;
    chunk.count += 1;
    this.end += 1;
    this.byteLength += record.length;
  }

  /** The bytes of a record, valid until the next change; `null` if it is not in the buffer. */
  at(number: number): Uint8Array | null {
    const chunk = this.chunks[this.chunkIndexOf(number)];
    const index = number - (chunk?.first ?? 0);
    if (chunk === undefined || number < this.first || index >= chunk.count) {
      return null;
    }
    return chunk.bytes.subarray(endOf(chunk, index - 1), endOf(chunk, index));
  }

  /** Drops all records before a number. */
  dropBefore(number: number): void {
    for (; this.first < Math.min(number, this.end); this.first++) {
      this.byteLength -= this.at(this.first)?.length ?? 0;
    }
    const isDropped = ({ first, count }: Chunk) => first + count <= this.first;
    while (this.chunks[0] !== undefined && isDropped(this.chunks[0])) {
      const chunk = this.chunks.shift() as Chunk;
      this.spare = chunk.bytes.length === CHUNK_BYTES ? chunk : this.spare;
    }
  }

  /** Renumbers the records from 0. */
  renumber(): void {
    for (const chunk of this.chunks) {
      chunk.first -= this.first;
    }
    this.end -= this.first;
    this.first = 0;
  }

  private chunkFor(bytes: number): Chunk {
    const last = this.chunks.at(-1);
    const hasRoom =
      last !== undefined && last.count < CHUNK_RECORDS && endOf(last, last.count - 1) + bytes <= last.bytes.length;
    return hasRoom ? last : this.addChunk(bytes);
  }

  private addChunk(bytes: number): Chunk {
    const isRegular = bytes <= CHUNK_BYTES;
    const chunk = (isRegular ? this.spare : null) ?? {
      bytes: new Uint8Array(Math.max(CHUNK_BYTES, bytes)),
      ends: new Uint32Array(CHUNK_RECORDS),
      first: 0,
      count: 0,
    };
    this.spare = isRegular ? null : this.spare;
    chunk.first = this.end;
    chunk.count = 0;
    this.chunks.push(chunk);
    return chunk;
  }

  /** The index of the last chunk that starts at or before a record number. */
  private chunkIndexOf(number: number): number {
    return countWhile(this.chunks.length, (index) => (this.chunks[index] as Chunk).first <= number) - 1;
  }
}

function endOf({ ends }: Chunk, index: number): number {
  return index < 0 ? 0 : (ends[index] as number);
}
