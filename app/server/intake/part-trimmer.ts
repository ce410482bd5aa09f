/**
 * Drops the bytes of a part between the limit and the next boundary. The parser buffers whole
 * parts, so without this a client could fill the memory.
 */
export class PartTrimmer {
  readonly #delimiter: Buffer;
  readonly #max: number;
  /** Bytes passed to the parser since the last part ended. */
  #passed = 0;
  #dropped = 0;
  /** While dropping: the last bytes received, which may contain the start of the next boundary. */
  #tail: Buffer | null = null;
  /** Bytes at the start of the tail that the parser already has. */
  #tailPassed = 0;

  constructor(boundary: string, max: number) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#max = max;
  }

  /** Yields the bytes of a chunk that the parser needs. */
  *trim(chunk: Buffer): Generator<Buffer> {
    let needed = chunk;
    if (this.#tail) {
      const window = Buffer.concat([this.#tail, chunk]);
      const boundaryAt = window.indexOf(this.#delimiter);
      const droppable = boundaryAt === -1 ? window.length - this.#endOf(window).length : boundaryAt;
      this.#dropped += Math.max(0, droppable - this.#tailPassed);
      if (boundaryAt === -1) {
        this.#tailPassed = Math.max(0, this.#tailPassed - droppable);
        this.#tail = window.subarray(droppable);
        return;
      }
      needed = window.subarray(Math.max(boundaryAt, this.#tailPassed));
      this.#tail = null;
    }
    this.#passed += needed.length;
    yield needed;
    // By now the parser has read `needed` and called `endPart` for each part that ended in it, so a
    // count over the limit belongs to one long part.
    if (this.#passed > this.#max) {
      this.#tail = this.#endOf(needed);
      this.#tailPassed = this.#tail.length;
    }
  }

  /** To be called when a part is complete. Returns how many of its bytes were dropped. */
  endPart(): number {
    const dropped = this.#dropped;
    this.#passed = 0;
    this.#dropped = 0;
    return dropped;
  }

  /** The last bytes, as many as may be an incomplete boundary. */
  #endOf(bytes: Buffer): Buffer {
    return bytes.subarray(Math.max(0, bytes.length - this.#delimiter.length + 1));
  }
}
