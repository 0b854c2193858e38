/** Takes the chunk framing off a body that arrives in pieces. */
export class ChunkedBody {
  ended = false;
  #state: 'size' | 'data' | 'after-data' | 'trailer' = 'size';
  #line = '';
  #left = 0;

  /** The content in a piece of the stream; throws when the framing is broken or bytes follow the end. */
  read(piece: Buffer): Buffer[] {
    const parts: Buffer[] = [];
    let place = 0;
    while (place < piece.length) {
      if (this.ended) throw new Error('Bytes after the end of a chunked body.');
      if (this.#state === 'data') {
        const part = piece.subarray(place, place + this.#left);
        parts.push(part);
        place += part.length;
        this.#left -= part.length;
        if (this.#left === 0) this.#state = 'after-data';
        continue;
      }
      const end = piece.indexOf(10, place);
      const stop = end < 0 ? piece.length : end;
      this.#line += piece.toString('latin1', place, stop);
      place = stop + 1;
      if (this.#line.length > 8_192) throw new Error('A line of a chunked body is too long.');
      if (end >= 0) this.#endOfLine();
    }
    return parts;
  }

  #endOfLine(): void {
    const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line;
    this.#line = '';
    if (this.#state === 'size') {
      const size = /^[0-9a-f]{1,12}/i.exec(line)?.[0];
      if (size === undefined) throw new Error('A chunk has no valid size.');
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? 'trailer' : 'data';
    } else if (this.#state === 'after-data') {
      if (line !== '') throw new Error('A chunk is longer than its size.');
      this.#state = 'size';
    } else if (line === '') {
      this.ended = true;
    }
  }
}
