/** What the server keeps of every open stream: of server-sent events, of a socket, or collected in memory. */
import type { Sink } from "../../dialects/dialect.ts";

export interface OpenStream extends Sink {
  /** Bytes the peer has not taken yet. */
  readonly queuedBytes: number;
  /** Called by every keep-alive sweep. It shows the client that a quiet stream is alive, or finds that the client is not. */
  keepAlive(): void;
}
