/** Every example runs, and does what it says. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Daemon, startDaemon } from "../src/daemon.ts";
import { until } from "../src/testkit/until.ts";

const EXAMPLES = resolve(import.meta.dirname, "../examples");
const run = promisify(execFile);

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "interlingua-examples-"));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** What a script printed, by its headings. */
function sections(output: string): Map<string, string[]> {
  const parts = output.split(/^== (.*)$/m).slice(1);
  const pairs = parts.flatMap((text, index) =>
    index % 2 === 0 ? [[text, parts[index + 1]!.trim().split("\n")] as const] : [],
  );
  return new Map(pairs);
}

test("curl-walkthrough.sh", { timeout: 180_000 }, async () => {
  const { stdout } = await run(join(EXAMPLES, "curl-walkthrough.sh"), {
    env: { ...process.env, TMPDIR: directory },
  });
  const said = sections(stdout);
  const json = (heading: string, line: number) => JSON.parse(said.get(heading)?.[line] ?? "null");

  expect(json("Start", 0)).toMatchObject({ status: "ok" });
  expect(json("Create a session and send a prompt", 0)).toMatchObject({ id: "demo", status: "idle" });
  expect(json("Create a session and send a prompt", 1)).toMatchObject({ state: "started", seq: 2 });
  expect(json("Answer the permission while nobody watches", 0)).toMatchObject({
    answer: { option: "allow", by: "owner" },
  });
  const left = Number(said.get("Watch, and leave")?.[0]?.replace("left after event ", ""));
  expect(left).toBeGreaterThan(0);
  expect(said.get("Come back with Last-Event-ID")).toEqual([
    `went on with event ${left + 1}`,
    "missed or repeated: 0",
  ]);
  const queue = "Queue, change what waits, interrupt";
  expect(json(queue, 0)).toMatchObject({ message: "stuck", state: "started" });
  expect(json(queue, 1)).toMatchObject({ message: "next", state: "queued" });
  expect(json(queue, 3).queue).toHaveLength(1);
  expect(json(queue, 4)).toEqual({ interrupted: true });
  expect(said.get("How the turns ended")).toEqual([
    "completed",
    "interrupted",
    "completed",
    "interrupted",
    "completed",
  ]);
  expect(json("The newest messages", 0).messages).toMatchObject([
    { id: "waiting", role: "user" },
    { role: "assistant", metadata: { outcome: "completed" } },
  ]);
  expect(said.get("Is what is stored whole?")?.[0]).toMatch(/^the data directory is whole/);
});

test("watch-a-session.ts goes on where it was when the daemon comes back", { timeout: 120_000 }, async () => {
  let daemon = await start(0);
  const port = Number(new URL(daemon.url).port);
  await call(daemon, "POST", "/v1/sessions", { id: "watched", agent: "mock", options: { pace: 0 } });

  const watcher = spawn(process.execPath, [join(EXAMPLES, "watch-a-session.ts"), daemon.url, "watched"], {
    env: { ...process.env, INTERLINGUA_TOKEN: daemon.token },
  });
  let output = "";
  watcher.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const exited = new Promise((done) => watcher.once("exit", done));
  try {
    await call(daemon, "POST", "/v1/sessions/watched/messages", { text: "scenario:echo before" });
    await until(() => output.includes("[turn completed]"));
    await daemon.close();
    daemon = await start(port);
    await call(daemon, "POST", "/v1/sessions/watched/messages", { text: "scenario:echo after" });
    await until(() => output.split("[turn completed]").length === 3);
    await call(daemon, "PATCH", "/v1/sessions/watched", { status: "closed" });
    expect(await exited).toBe(0);
  } finally {
    watcher.kill();
    await daemon.close();
  }
  expect(output).toBe(
    [
      "scenario:echo before",
      "[turn completed]",
      "scenario:echo after",
      "[turn completed]",
      "[session closed]",
      "",
    ].join("\n"),
  );
});

function start(port: number): Promise<Daemon> {
  return startDaemon({ port, data: join(directory, "data"), roots: [directory] });
}

async function call(daemon: Daemon, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${daemon.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${daemon.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
}
