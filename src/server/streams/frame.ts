/** Bytes ready for a socket, made once and shared by every reader. */

export interface Frame {
  /** As one chunk of a chunked HTTP/1.1 body, so that no response has to frame it again. */
  readonly chunked: Buffer;
  /** The same bytes without the framing. */
  readonly plain: Buffer;
}

export function frameOf(text: string): Frame {
  const length = Buffer.byteLength(text);
  const head = `${length.toString(16)}\r\n`;
  const chunked = Buffer.allocUnsafe(head.length + length + 2);
  chunked.write(head, 0, "latin1");
  chunked.write(text, head.length, "utf8");
  chunked.write("\r\n", head.length + length, "latin1");
  return { chunked, plain: chunked.subarray(head.length, head.length + length) };
}
