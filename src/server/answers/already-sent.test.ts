import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "interlingua-embedded-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In a process of its own: what counts is what was loaded first. */
const HOST = `
  const [module, data, order] = process.argv.slice(1);
  console.error = (error) => process.stdout.write(String(error));
  async function startOwnServer() {
    const { createAdaptorServer } = await import("@hono/node-server");
    createAdaptorServer({ fetch: () => new Response("the host's own") });
  }
  if (order === "host first") await startOwnServer();
  const { startDaemon } = await import(module);
  if (order === "daemon first") await startOwnServer();
  const daemon = await startDaemon({ port: 0, data });
  async function call(method, path, body) {
    const headers = { authorization: "Bearer " + daemon.token, "content-type": "application/json" };
    const response = await fetch(daemon.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return [response.status, await response.text()];
  }
  const [created] = await call("POST", "/v1/sessions", { id: "s", agent: "mock" });
  const [streamed, text] = await call("POST", "/v1/sessions/s/messages/stream", { text: "scenario:echo Hello" });
  const [deleted] = await call("DELETE", "/v1/sessions/s");
  await daemon.close();
  process.stdout.write(JSON.stringify([created, streamed, text.includes("turn.ended"), deleted]));
`;

test.each(["host first", "daemon first"])(
  "in an application with a server of the same library, every kind of answer arrives once: %s",
  (order) => {
    const told = execFileSync(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        HOST,
        resolve(import.meta.dirname, "../../daemon.ts"),
        join(folder, order),
        order,
      ],
      { encoding: "utf8", cwd: import.meta.dirname, stdio: ["ignore", "pipe", "inherit"], timeout: 50_000 },
    );
    expect(JSON.parse(told)).toEqual([201, 200, true, 204]);
  },
);
