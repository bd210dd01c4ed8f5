/** Reads an agent's output on demand, and stops once the agent is gone. */
import type { Readable } from "node:stream";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";

/** How long processes the agent started may still write. The agent's own output is in the pipe when it exits. */
export const DRAIN_MS = 250;

/** Far more than a pipe holds: beyond it something else is writing. */
const DRAIN_BYTES = 8 * 1024 * 1024;

/**
 * Yields what the stream brings. It ends with the stream, or after `exited` when nothing more comes: a process
 * the agent left behind may hold the pipe open, silent or chattering, for as long as it lives.
 */
export function readOutput(stream: Readable, exited: Promise<unknown>): AsyncIterable<Buffer> {
  let wake = () => {};
  let hasExited = false;
  let isDrainOver = false;
  let drainedBytes = 0;

  // Not at the first read: when a child exits, Node discards output that has no listener yet.
  for (const event of ["readable", "end", "close", "error"]) stream.on(event, () => wake());
  exited.then(async () => {
    hasExited = true;
    await sleep(DRAIN_MS, undefined, { ref: false });
    isDrainOver = true;
    wake();
  });

  return (async function* pull() {
    try {
      while (drainedBytes < DRAIN_BYTES) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const chunk: Buffer | null = stream.read();
        if (chunk !== null) {
          if (hasExited) drainedBytes += chunk.length;
          yield chunk;
        } else if (stream.readableEnded || stream.destroyed) {
          return;
        } else if (!isDrainOver) {
          await woken;
        } else {
          // A slow consumer may come here long after the exit with the pipe still full. `read` has just asked for more,
          // and within two turns of the event loop the pipe is read once.
          await setImmediate();
          await setImmediate();
          if (stream.readableLength === 0) return;
        }
      }
    } finally {
      stream.destroy();
    }
  })();
}
