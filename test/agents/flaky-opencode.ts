/**
 * OpenCode behind a connection that can be lost: `node flaky-opencode.ts PROGRAM …` runs it and stands between it and
 * its clients. At SIGUSR2 all connections are cut, and for a while none is let through.
 */
import { spawn } from "node:child_process";
import { connect, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

const GAP_MS = 1500;

const [program = "", ...words] = process.argv.slice(2);
const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
child.once("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 0)));
process.once("SIGTERM", () => child.kill("SIGTERM"));

const sockets = new Set<Socket>();
let isCut = false;
process.on("SIGUSR2", () => {
  isCut = true;
  for (const socket of sockets) socket.destroy();
  setTimeout(() => {
    isCut = false;
  }, GAP_MS);
});

for await (const line of createInterface({ input: child.stdout })) {
  const port = Number(/listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? 0);
  if (port === 0) console.log(line);
  else await standBetween(port);
}

async function standBetween(port: number): Promise<void> {
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const target = connect(port, "127.0.0.1");
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        sockets.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
    client.pipe(target).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address !== null && typeof address === "object") {
    console.log(`opencode server listening on http://127.0.0.1:${address.port}`);
  }
}
