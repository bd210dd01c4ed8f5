import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** In a process of its own: what counts is which server of the library came first. */
const HOST_WITH_A_SERVER = `
  console.error = (error) => process.stdout.write(String(error));
  import { createAdaptorServer } from "@hono/node-server";
  createAdaptorServer({ fetch: () => new Response("the host's own") });
  const { ALREADY_SENT } = await import(process.argv[1]);
  const server = createAdaptorServer({
    fetch: (request, { outgoing }) => {
      outgoing.writeHead(200).end("streamed");
      return ALREADY_SENT;
    },
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const answer = await fetch("http://127.0.0.1:" + server.address().port);
  const body = await answer.text();
  server.close();
  await new Promise((settled) => setImmediate(settled));
  process.stdout.write(body);
`;

test("nothing is written twice where a host application had a server of the same library before", () => {
  const told = execFileSync(
    process.execPath,
    ["--input-type=module", "-e", HOST_WITH_A_SERVER, join(import.meta.dirname, "already-sent.ts")],
    { encoding: "utf8", cwd: import.meta.dirname, stdio: ["ignore", "pipe", "pipe"] },
  );
  expect(told).toBe("streamed");
});
