/** Ports for servers whose address stays the same when they are started again. */
import { createServer } from "node:net";

/** The system gives ports from 32,768 on to any outgoing connection, also while a node is restarted. */
const [FIRST_PORT, LAST_PORT] = [12_000, 32_000];

/** Different ones. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
