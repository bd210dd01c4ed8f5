import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createProcessHost } from "../../process/local-process-host.ts";
import { startServer } from "./start-server.ts";

const processHost = createProcessHost({
  daemonId: `opencode-server-${process.pid}`,
  environment: process.env,
});
const never = { signal: new AbortController().signal };
const late = join(import.meta.dirname, "fixtures/late-server.ts");

afterAll(() => processHost.close());

const launch = (...args: string[]) => ({
  command: process.execPath,
  args: [...args],
  cwd: tmpdir(),
  authorization: "Basic c2VjcmV0",
});

describe("a server", () => {
  it("is spoken to when it listens, not when its port is open", async () => {
    const server = await startServer(processHost, launch(late), never);
    const answer = await server.ask({ id: 1, method: "GET", path: "/global/health" }, "/");
    expect(answer).toMatchObject({ status: 200, body: { healthy: true } });
    await server.end();
    expect(server.isOver).toBe(true);
  });

  it("tells of its configuration nothing that is secret, and of pages nothing at all", async () => {
    const server = await startServer(processHost, launch(late), never);
    expect((await server.ask({ id: 1, method: "GET", path: "/config" }, "/")).body).toEqual({ model: "a/b" });
    expect(await server.ask({ id: 2, method: "GET", path: "/page" }, "/")).toMatchObject({
      status: 200,
      error: expect.stringContaining("not with JSON"),
    });
    await server.end();
  });

  it("takes the sessions that use it with it when it dies", async () => {
    const server = await startServer(processHost, launch(late), never);
    const session = server.open("/", () => {});
    process.kill(session.pid, "SIGKILL");
    expect(await session.exited).toMatchObject({ signal: "SIGKILL" });
    expect(server.isOver).toBe(true);
    expect(() => server.open("/", () => {})).toThrow(/just ended/);
  });

  it("that exits at once is an error that says so", async () => {
    await expect(startServer(processHost, launch("-e", "console.error('no luck')"), never)).rejects.toThrow(
      /exited before it was ready.*no luck/,
    );
  });
});
