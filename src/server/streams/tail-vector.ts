/** Sends the logs of several sessions to one stream, each frame with the cursor of all of them. */
import { cursorFrame, eventFrame } from "../../protocol/sse-frame.ts";
import { formatVectorCursor } from "../../protocol/vector-cursor.ts";
import { endAfterFailure } from "./end-after-failure.ts";
import { LogReader } from "./log-reader.ts";
import type { LogSlice } from "./log-slice.ts";
import { shownSlice } from "./shown-slice.ts";
import type { Tail } from "./tail-session.ts";

/** `vector` holds the seq to begin after for each session. The stream ends when all of them are deleted. */
export function tailVector({ fanOut, stream, logger }: Tail, vector: ReadonlyMap<string, number>): void {
  const cursors = new Map(vector);

  function send(session: string, slice: LogSlice): void {
    let text = "";
    for (const event of slice.events) {
      cursors.set(session, event.seq);
      text += eventFrame(formatVectorCursor(cursors), event.json);
    }
    stream.writeText(text);
  }

  function forget(session: string): void {
    cursors.delete(session);
    // A client that resumes must not name a session that is no longer there.
    if (cursors.size > 0) stream.writeText(cursorFrame(formatVectorCursor(cursors)));
    else stream.end("all sessions were deleted");
  }

  const readers = [...vector].map(([session, after]) => {
    const leave = fanOut.watch(stream, session);
    return new LogReader(fanOut.channel(session), after, {
      get isFull() {
        return stream.isFull;
      },
      send: (slice) => send(session, shownSlice(slice, stream)),
      onDeleted: () => {
        leave();
        forget(session);
      },
      onError: (error) => endAfterFailure(stream, logger, session, error),
    });
  });
  stream.onDrain(() => {
    for (const reader of readers) reader.resume();
  });
  stream.onClose(() => {
    for (const reader of readers) reader.stop();
  });
  for (const reader of readers) reader.start();
}
