export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** Regroups bytes into pieces of `size` bytes. Each call returns the pieces that are complete; the last one may be shorter. */
export function piecesOf(size: number) {
  let piece = new Uint8Array(size);
  let filled = 0;
  return {
    add(bytes: Uint8Array): Uint8Array<ArrayBuffer>[] {
      const complete: Uint8Array<ArrayBuffer>[] = [];
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + size - filled);
        piece.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled < size) continue;
        complete.push(piece);
        piece = new Uint8Array(size);
        filled = 0;
      }
      return complete;
    },
    /** The rest; nothing if there is none. */
    end: (): Uint8Array<ArrayBuffer>[] => (filled > 0 ? [piece.subarray(0, filled)] : []),
  };
}
