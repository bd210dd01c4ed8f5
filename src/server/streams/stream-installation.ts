/** Shows an installation as a stream of frames. A client that leaves does not stop it. */

import type { InstallProgress } from "../../core/program.ts";
import type { Engine } from "../../engine/engine.ts";
import type { InstallationFrame } from "../../protocol/schemas/service.ts";
import { dataFrame } from "../../protocol/sse-frame.ts";
import { ALREADY_SENT } from "../answers/already-sent.ts";
import { problemResponse } from "../answers/error-response.ts";
import { callerOf } from "../guard/caller.ts";
import type { AppContext } from "../mount.ts";
import type { EventStream } from "./event-stream.ts";
import type { Streams } from "./fan-out.ts";

export interface InstallationDependencies {
  engine: Pick<Engine, "run">;
  fanOut: Pick<Streams, "open" | "assertRoom">;
}

/** Rejects if the installation could not begin, so that the answer has the right status. */
export async function streamInstallation(
  { engine, fanOut }: InstallationDependencies,
  agent: string,
  context: AppContext,
): Promise<Response> {
  fanOut.assertRoom();
  const { incoming, outgoing } = context.env;
  let stream: EventStream | undefined;
  const send = (frame: InstallationFrame) => {
    stream ??= fanOut.open(incoming, outgoing, callerOf(context), context.get("headers"));
    stream.writeText(dataFrame(JSON.stringify(frame)));
  };
  const begun = Promise.withResolvers<void>();
  const onProgress = (progress: InstallProgress) => {
    send(progress);
    begun.resolve();
  };
  const installing = engine.run("installAgent", { agent, onProgress }, callerOf(context));
  installing
    .then(
      (installed) => send({ phase: "installed", ...installed }),
      (error) => {
        // Nothing was sent yet, so an error response is possible.
        if (!stream) throw error;
        send({ phase: "failed", ...problemResponse(error).body });
      },
    )
    .then(() => stream?.end())
    .then(begun.resolve, begun.reject);
  await begun.promise;
  return ALREADY_SENT;
}
