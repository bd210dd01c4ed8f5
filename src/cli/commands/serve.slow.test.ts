import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../testkit/eventually.ts";
import { run, type Served, serve, start, stop } from "../test-support.ts";

let directory: string;
const running: Served[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-serve-"));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map(stop));
  rmSync(directory, { recursive: true, force: true });
});

async function serveHere(
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<Served> {
  const served = await serve(["--data", directory, ...args], { environment });
  running.push(served);
  return served;
}

function modeOf(name: string): string {
  return (statSync(join(directory, name)).mode & 0o777).toString(8);
}

test("prints the link and nothing else, and serves", async () => {
  const served = await serve(["--data", ":memory:"]);
  running.push(served);
  expect(served.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
  const health = await fetch(`${served.url}/v1/health`);
  expect({ status: health.status, body: await health.json() }).toMatchObject({
    status: 200,
    body: { status: "ok" },
  });
  const authorization = `Bearer ${served.token}`;
  expect((await fetch(`${served.url}/v1/sessions`, { headers: { authorization } })).status).toBe(200);
  expect((await fetch(`${served.url}/v1/sessions`)).status).toBe(401);
  expect(await stop(served)).toMatchObject({ code: 0, stdout: `${served.link}\n` });
  expect(served.stderr()).not.toContain(served.token);
});

test("keeps its files for their owner, and its token for the next start", async () => {
  const first = await serveHere();
  expect(modeOf(".")).toBe("700");
  for (const file of ["token", "daemon-id", "daemon.json"]) expect(modeOf(file)).toBe("600");
  expect(JSON.parse(readFileSync(join(directory, "daemon.json"), "utf8"))).toMatchObject({ url: first.url });
  await stop(first);
  expect(() => statSync(join(directory, "daemon.json"))).toThrow();
  expect((await serveHere()).token).toBe(first.token);
});

test("a token of the user's own is kept nowhere", async () => {
  const served = await serveHere([], { INTERLINGUA_TOKEN: "chosen-by-the-user" });
  expect(served.token).toBe("chosen-by-the-user");
  expect(() => statSync(join(directory, "token"))).toThrow();
  expect(readFileSync(join(directory, "daemon.json"), "utf8")).not.toContain("chosen-by-the-user");
});

describe("ends", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "gracefully at %s, with exit code 0",
    async (signal) => {
      const served = await serveHere();
      served.child.kill(signal);
      expect(await served.ended).toMatchObject({ code: 0, stdout: `${served.link}\n` });
      expect(served.stderr()).toContain('"msg":"stopped"');
    },
  );

  test("gracefully when one Ctrl-C arrives twice, from the terminal and from npm", async () => {
    const served = await serveHere();
    served.child.kill("SIGINT");
    served.child.kill("SIGINT");
    expect(await served.ended).toMatchObject({ code: 0 });
  });

  test("at once for somebody who does not want to wait", async () => {
    const served = await serveHere();
    // A request that never becomes whole: the server gives it some seconds.
    const { hostname, port } = new URL(served.url);
    const socket = connect(Number(port), hostname).on("error", () => {});
    const head = `POST /v1/sessions HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${served.token}`;
    socket.write(
      `${head}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n`,
    );
    await once(socket, "data");
    await eventually("the end", () => {
      served.child.kill("SIGTERM");
      return served.child.exitCode !== null;
    });
    socket.destroy();
    expect(await served.ended).toMatchObject({ code: 143 });
    expect(served.stderr()).not.toContain('"msg":"stopped"');
  });

  test("although all its threads hang on pipes that nobody writes to", async () => {
    const pipe = join(directory, "pipe");
    execFileSync("mkfifo", [pipe]);
    const hang = `
      import { open } from "node:fs";
      process.once("SIGUSR2", () => {
        for (let count = 0; count < 8; count += 1) open(${JSON.stringify(pipe)}, "r", () => {});
        process.stderr.write("all threads hang\\n");
      });`;
    const served = await serveHere([], {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hang)}`,
    });
    served.child.kill("SIGUSR2");
    await eventually("the threads hang", () => served.stderr().includes("all threads hang"));
    await eventually("the end", () => {
      served.child.kill("SIGTERM");
      return served.child.exitCode !== null || served.child.signalCode !== null;
    });
    expect(served.child.signalCode).toBe("SIGKILL");
  });

  test("by SIGTERM, although its data directory was removed", async () => {
    const data = join(directory, "removed");
    const served = await serve(["--data", data]);
    rmSync(data, { recursive: true });
    served.child.kill("SIGTERM");
    expect(await served.ended).toMatchObject({ code: 0 });
  });

  test("when another daemon got its data directory, since lock and daemon.json were removed", async () => {
    const first = await serveHere();
    // It must not notice before the other one has started.
    first.child.kill("SIGSTOP");
    for (const file of ["lock.db", "daemon.json"]) rmSync(join(directory, file));
    const second = await serveHere();
    first.child.kill("SIGCONT");
    expect(await first.ended).toMatchObject({ code: 1 });
    expect(first.stderr()).toContain(`Another daemon (pid ${second.child.pid}, ${second.url}) already uses`);
    // What the first one takes along is not the other's.
    expect(JSON.parse(readFileSync(join(directory, "daemon.json"), "utf8"))).toMatchObject({
      url: second.url,
    });
    expect((await fetch(`${second.url}/v1/health`)).status).toBe(200);
    expect(await stop(second)).toMatchObject({ code: 0 });
  });

  test("not at SIGUSR1, which opens no inspector either", async () => {
    const served = await serveHere();
    served.child.kill("SIGUSR1");
    // The listener of the inspector announces itself on stderr; a second request shows that the signal was dealt with.
    for (let request = 0; request < 2; request += 1)
      expect((await fetch(`${served.url}/v1/health`)).status).toBe(200);
    const { stdout } = spawnSync("ps", ["-o", "args=", "-p", String(served.child.pid)], { encoding: "utf8" });
    expect(stdout).toContain("--disable-sigusr1");
    await stop(served);
    expect(served.stderr()).not.toContain("Debugger");
  });

  test("gracefully when it is stopped while it starts", async () => {
    const starting = start(["serve", "--port", "0", "--data", directory]);
    // Its lock is there before anything else is.
    await eventually(
      "the start",
      () => statSync(join(directory, "lock.db"), { throwIfNoEntry: false }) !== undefined,
    );
    starting.child.kill("SIGTERM");
    expect(await starting.ended).toMatchObject({ code: 0 });
  });

  test("not because nobody reads its output any more", async () => {
    const served = await serveHere([], { INTERLINGUA_LOG_LEVEL: "debug" });
    served.child.stdout?.destroy();
    served.child.stderr?.destroy();
    const headers = { authorization: `Bearer ${served.token}` };
    for (let request = 0; request < 3; request += 1) await fetch(`${served.url}/v1/nothing`, { headers });
    expect((await fetch(`${served.url}/v1/health`)).status).toBe(200);
  });
});

describe("does not start", () => {
  test("with a link in the place of its token, whose target it leaves alone", async () => {
    const target = join(directory, "target");
    writeFileSync(target, "somebody's", { mode: 0o644 });
    symlinkSync(target, join(directory, "token"));
    const { code, stderr } = await run(["serve", "--port", "0", "--data", directory]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("token is a link") });
    expect(modeOf("target")).toBe("644");
  });

  test("with a token that other machines could guess", async () => {
    const { code, stderr } = await run(
      ["serve", "--port", "0", "--data", directory, "--host", "0.0.0.0", "--allow-host", "box.example.com"],
      { environment: { INTERLINGUA_TOKEN: "abc" } },
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("openssl rand -hex 32") });
  });

  test("a second time on the same data, and names the first", async () => {
    const first = await serveHere();
    const { code, stdout, stderr } = await run(["serve", "--port", "0", "--data", directory]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^interlingua: [^\n]+\n$/);
    expect(stderr).toContain(`pid ${first.child.pid}`);
    expect(stderr).toContain(first.url);
    expect((await fetch(`${first.url}/v1/health`)).status).toBe(200);
  });

  test("on a port in use, and says what to do", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run(["serve", "--data", directory, "--port", String(port)]);
    other.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `interlingua: Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another with --port (0 picks one).\n`,
    });
    await stop(await serveHere());
  });

  test("on an address that is not this machine's", async () => {
    const environment = { INTERLINGUA_TOKEN: "chosen-by-the-user" };
    const args = ["serve", "--data", ":memory:", "--host", "192.0.2.1", "--allow-host", "box.example"];
    const { code, stderr } = await run(args, { environment });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("--host") });
  });

  test("with an agent there is none of", async () => {
    const { code, stderr } = await run(["serve", "--data", ":memory:", "--agent", "nobody"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/--agent: .*"nobody".*mock/) });
  });
});

test("an address others can reach is fine with a token and a host name, and the machine itself gets in", async () => {
  const environment = { INTERLINGUA_TOKEN: "chosen-by-the-user" };
  const served = await serveHere(["--host", "0.0.0.0", "--allow-host", "box.example"], environment);
  // The link works where it is printed: no browser may call it 0.0.0.0.
  expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(served.url)).status).toBe(200);
  const listed = await run(["agents", "--json", "--data", directory], { environment });
  expect(listed).toMatchObject({ code: 0, stderr: "" });
});

test("stop ends the daemon of a data directory and waits for it; then there is none", async () => {
  const served = await serveHere();
  const stopped = await run(["stop", "--data", directory, "--json"]);
  expect(stopped).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(stopped.stdout)).toEqual({ data: directory, pid: served.child.pid });
  expect((await served.ended).code).toBe(0);
  const again = await run(["stop", "--data", directory]);
  expect(again).toMatchObject({ code: 1, stdout: "" });
  expect(again.stderr).toContain(`No daemon runs on ${directory}.`);
});
