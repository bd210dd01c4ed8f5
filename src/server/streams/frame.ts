/** Bytes ready for a socket, made once and shared by every reader. */

import type { SharedFrame } from "../../dialects/dialect.ts";

export type Frame = SharedFrame;

export function frameOf(text: string): SharedFrame {
  const length = Buffer.byteLength(text);
  const head = `${length.toString(16)}\r\n`;
  const chunked = Buffer.allocUnsafe(head.length + length + 2);
  chunked.write(head, 0, "latin1");
  chunked.write(text, head.length, "utf8");
  chunked.write("\r\n", head.length + length, "latin1");
  return { chunked, plain: chunked.subarray(head.length, head.length + length) };
}
