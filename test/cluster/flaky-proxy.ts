/** A proxy before PostgreSQL that cuts connections, stalls them, and swallows answers. */
import { connect, createServer, type Socket } from "node:net";

export interface FlakyProxy {
  readonly port: number;
  /** The port of PostgreSQL, for connections from now on. */
  target: number;
  /** Ends all connections. */
  cut(): void;
  /** Whether new connections are refused. */
  refuses: boolean;
  /** Whether nothing passes; it does afterwards. */
  stalls: boolean;
  /** Everything stalls once this is about to be sent. */
  stallsAt: string | undefined;
  /** Answers are thrown away once this was sent. It reaches PostgreSQL. */
  swallowsAfter: string | undefined;
  /** How many bytes of answers were thrown away so far. */
  readonly swallowed: number;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startFlakyProxy(target: number): Promise<FlakyProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let stalls = false;
  let swallowed = 0;
  const held: (() => void)[] = [];
  const resume = () => {
    for (const send of held.splice(0)) send();
    for (const sockets of pairs) for (const socket of sockets) socket.resume();
  };
  const server = createServer((client) => {
    if (proxy.refuses) {
      client.destroy();
      return;
    }
    const upstream = connect(proxy.target, "127.0.0.1");
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    let isSwallowing = false;
    client.on("data", (bytes) => {
      isSwallowing ||= proxy.swallowsAfter !== undefined && bytes.includes(proxy.swallowsAfter);
      if (proxy.stallsAt !== undefined && bytes.includes(proxy.stallsAt)) proxy.stalls = true;
      if (stalls) held.push(() => upstream.write(bytes));
      else upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (isSwallowing && proxy.swallowsAfter !== undefined) swallowed += bytes.length;
      else client.write(bytes);
    });
    if (stalls) for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: FlakyProxy = {
    port: (server.address() as { port: number }).port,
    target,
    refuses: false,
    stallsAt: undefined,
    swallowsAfter: undefined,
    get swallowed() {
      return swallowed;
    },
    get stalls() {
      return stalls;
    },
    set stalls(now: boolean) {
      stalls = now;
      if (!now) resume();
      else for (const sockets of pairs) for (const socket of sockets) socket.pause();
    },
    cut() {
      for (const sockets of pairs) for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      proxy.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
