/** One request to a route of a dialect. */

import type { Principal } from "../../core/principal.ts";
import type { Call } from "../../dialects/dialect.ts";
import { ALREADY_SENT } from "../answers/already-sent.ts";
import { sendJson, sendList } from "../answers/send-json.ts";
import type { AppContext } from "../mount.ts";
import type { Streams } from "../streams/fan-out.ts";
import { streamHeaders } from "../streams/sse-headers.ts";

export function dialectCall(context: AppContext, fanOut: Pick<Streams, "open">, caller: Principal): Call {
  const isHead = context.req.method === "HEAD";
  let signal: AbortSignal | undefined;
  return {
    isHead,
    caller,
    get signal() {
      signal ??= signalOf(context.env.outgoing);
      return signal;
    },
    header: (name) => context.req.header(name),
    answer: (status, body, headers) =>
      context.newResponse(body, status as 200, streamHeaders({ ...headers })),
    answerJson: (status, pieces) => sendJson(context, status, pieces),
    answerList: (name, items, beside) => sendList(context, name, items, beside),
    stream({ headers, closingFrame, hasComments }, run) {
      if (isHead) return context.body(null, 200, streamHeaders(headers));
      const { incoming, outgoing } = context.env;
      // The stream writes to the socket directly: the framework would frame the bytes again for each reader.
      const stream = fanOut.open(incoming, outgoing, caller, context.get("headers"), headers, hasComments);
      if (closingFrame) stream.closingFrame = closingFrame;
      run(stream);
      return ALREADY_SENT;
    },
  };
}

/** Aborted when the client leaves before it has its answer. */
function signalOf(response: AppContext["env"]["outgoing"]): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.destroyed) abort();
  else response.once("close", abort);
  return controller.signal;
}
