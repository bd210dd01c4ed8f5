/** Reads a body of known digest whole. */
import type { IncomingMessage } from "node:http";

export class BodyTooLargeError extends Error {}

/** Rejects beyond `maxBytes`, and when the body breaks off or is not there after `timeoutMs`. */
export async function readBody(
  message: IncomingMessage,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<Buffer> {
  if (Number(message.headers["content-length"] ?? 0) > maxBytes) throw new BodyTooLargeError();
  const timer = setTimeout(() => message.destroy(new Error("The body did not come in time.")), timeoutMs);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new BodyTooLargeError();
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}
