/** Answers in the place of a daemon that cannot begin yet: it lives, is not ready, and takes no requests. */
import { createServer, type ServerResponse } from "node:http";
import { InterlinguaError } from "../../core/error.ts";
import { problemResponse } from "../answers/error-response.ts";
import { SECURITY_HEADERS } from "../guard/security-headers.ts";
import { explainListenError } from "./explain-listen-error.ts";

export interface UnreadyServer {
  /** Why the daemon cannot begin, as a sentence. */
  problem: string;
  /** Frees the port. */
  close(): Promise<void>;
}

const RETRY_AFTER_SECONDS = 5;

/** Rejects when it cannot listen. Needs no token and takes every host: its answers have no more than the health of a daemon. */
export async function startUnreadyServer(
  address: { host: string; port: number; version: string },
  problem: string,
): Promise<UnreadyServer> {
  const { host, port, version } = address;
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0];
    const failing = { status: "failing", version, problem: unready.problem };
    if (path === "/v1/health/live") return answer(response, 200, { status: "ok", version });
    if (path === "/v1/health/ready" || path === "/v1/health") return answer(response, 503, failing);
    const refusal = problemResponse(
      new InterlinguaError("store_busy", unready.problem, { retryAfterSeconds: RETRY_AFTER_SECONDS }),
    );
    answer(response, refusal.status, refusal.body, refusal.headers);
  });
  const unready: UnreadyServer = {
    problem,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explainListenError(error, address)));
    server.listen(port, host, resolve);
  });
  return unready;
}

function answer(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    "content-type": "application/json",
    // So that the next request reaches the daemon.
    connection: "close",
    ...headers,
  });
  response.end(JSON.stringify(body));
}
