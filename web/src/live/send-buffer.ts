/** Records that nobody has acknowledged yet, in order, in large pieces of memory that are used again. */

const PIECE_BYTES = 1 << 17;
const PIECE_RECORDS = 1 << 10;

interface Chunk {
  readonly bytes: Uint8Array;
  /** Where each record ends. */
  readonly ends: Uint32Array;
  /** The number of its first record. */
  first: number;
  count: number;
}

export class SendBuffer {
  private pieces: Chunk[] = [];
  private spare: Chunk | null = null;
  /** The number of the first record that is kept. */
  first = 0;
  /** The number that the next record will have. */
  end = 0;
  byteLength = 0;

  get length(): number {
    return this.end - this.first;
  }

  push(record: Uint8Array): void {
    const piece = this.roomFor(record.length);
    const from = endOf(piece, piece.count - 1);
    piece.bytes.set(record, from);
    piece.ends[piece.count] = from + record.length;
    piece.count += 1;
    this.end += 1;
    this.byteLength += record.length;
  }

  /** A record that is kept, by its number; good until the next change. */
  at(number: number): Uint8Array | null {
    const piece = this.pieces[this.pieceOf(number)];
    const index = number - (piece?.first ?? 0);
    if (piece === undefined || number < this.first || index >= piece.count) {
      return null;
    }
    return piece.bytes.subarray(endOf(piece, index - 1), endOf(piece, index));
  }

  /** Forgets all records before a number. */
  dropBefore(number: number): void {
    for (; this.first < Math.min(number, this.end); this.first++) {
      this.byteLength -= this.at(this.first)?.length ?? 0;
    }
    const isOver = ({ first, count }: Chunk) => first + count <= this.first;
    while (this.pieces[0] !== undefined && isOver(this.pieces[0])) {
      const piece = this.pieces.shift() as Chunk;
      this.spare = piece.bytes.length === PIECE_BYTES ? piece : this.spare;
    }
  }

  /** Numbers what is kept from 0. */
  renumber(): void {
    for (const piece of this.pieces) {
      piece.first -= this.first;
    }
    this.end -= this.first;
    this.first = 0;
  }

  private roomFor(bytes: number): Chunk {
    const last = this.pieces.at(-1);
    const isRoom =
      last !== undefined && last.count < PIECE_RECORDS && endOf(last, last.count - 1) + bytes <= last.bytes.length;
    return isRoom ? last : this.add(bytes);
  }

  private add(bytes: number): Chunk {
    const isUsual = bytes <= PIECE_BYTES;
    const piece = (isUsual ? this.spare : null) ?? {
      bytes: new Uint8Array(Math.max(PIECE_BYTES, bytes)),
      ends: new Uint32Array(PIECE_RECORDS),
      first: 0,
      count: 0,
    };
    this.spare = isUsual ? null : this.spare;
    piece.first = this.end;
    piece.count = 0;
    this.pieces.push(piece);
    return piece;
  }

  /** The last piece that begins at or before a number. */
  private pieceOf(number: number): number {
    let [low, high] = [0, this.pieces.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.pieces[middle] as Chunk).first <= number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }
}

function endOf({ ends }: Chunk, index: number): number {
  return index < 0 ? 0 : (ends[index] as number);
}
