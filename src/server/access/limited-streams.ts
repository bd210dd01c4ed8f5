/** The streams as one token has them: of sessions it is for. */
import { sessionNotFound } from "../../protocol/refusals.ts";
import type { Streams } from "../streams/fan-out.ts";
import type { SessionScope } from "./session-scope.ts";

export function limitedStreams(streams: Streams, scope: SessionScope): Streams {
  function assertFound(session: string): void {
    if (!scope.wasFound(session)) throw sessionNotFound(session);
  }
  return {
    views: streams.views,
    open: (...request) => streams.open(...request),
    collect: (options) => streams.collect(options),
    assertRoom: () => streams.assertRoom(),
    async assertReadable(session, after) {
      await scope.assert(session);
      await streams.assertReadable(session, after);
    },
    watch(stream, session) {
      assertFound(session);
      return streams.watch(stream, session);
    },
    channel(session) {
      assertFound(session);
      return streams.channel(session);
    },
  };
}
