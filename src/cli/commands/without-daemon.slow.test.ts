/** The commands that read a data directory nobody works on. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AskView, SessionView } from "../../protocol/commands/command-types.ts";
import { eventually } from "../../testkit/eventually.ts";
import { post, run, serve, stop } from "../test-support.ts";

let directory: string;
/** What the daemon said before it died. */
let alive: { sessions: SessionView[]; asks: AskView[]; events: string };

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-without-daemon-"));
  const daemon = await serve(["--data", directory]);
  await post(daemon, "/v1/sessions", { id: "asking", agent: "mock", title: "Asks", options: { pace: 0 } });
  await post(daemon, "/v1/sessions/asking/messages", { text: "scenario:approve" });
  await eventually("the ask", async () => (await json<AskView[]>("asks")).length === 1);
  alive = {
    sessions: await json("sessions"),
    asks: await json("asks"),
    events: (await command("tail", "asking", "--no-follow")).stdout,
  };
  daemon.child.kill("SIGKILL");
  await daemon.ended;
});

afterAll(() => rmSync(directory, { recursive: true }));

function command(...args: string[]) {
  return run([...args, "--data", directory]);
}

async function json<Answer>(...args: string[]): Promise<Answer> {
  return JSON.parse((await command(...args, "--json")).stdout) as Answer;
}

function note(): string {
  return `interlingua: No daemon runs on ${directory}; this is what the last one wrote there.\n`;
}

test("sessions and asks are the same as with a daemon, and a note says that none runs", async () => {
  const sessions = await command("sessions", "--json");
  expect(sessions).toMatchObject({ code: 0, stderr: note() });
  expect(JSON.parse(sessions.stdout)).toEqual(alive.sessions);
  const asks = await command("asks", "--json");
  expect(asks).toMatchObject({ code: 0, stderr: note() });
  expect(JSON.parse(asks.stdout)).toEqual(alive.asks);
  expect((await command("sessions")).stdout).toMatch(/^ID .*\nasking +mock +waiting .* Asks\n$/);
  expect(await json("sessions", "--search", "nothing")).toEqual([]);
});

test("tail --no-follow prints the same events", async () => {
  expect(await command("tail", "asking", "--no-follow")).toEqual({
    code: 0,
    stdout: alive.events,
    stderr: note(),
  });
  const rest = await command("tail", "asking", "--no-follow", "--after", "3");
  expect(rest.stdout).toBe(alive.events.split("\n").slice(3).join("\n"));
});

test.each([
  ["tail nobody --no-follow", 'There is no session "nobody"'],
  ["tail asking --no-follow --after 9999", '--after: the log of session "asking" ends at '],
])("%s says what is wrong", async (words, expected) => {
  const { code, stdout, stderr } = await command(...words.split(" "));
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`\ninterlingua: ${expected}`);
});

test("what needs a daemon says so", async () => {
  const needed = `No daemon runs on ${directory}. Start one with: interlingua serve`;
  expect(await command("asks", "reply", "asking", "a1", "once")).toEqual({
    code: 1,
    stdout: "",
    stderr: `interlingua: ${needed}\n`,
  });
  expect(await command("tail", "asking")).toEqual({
    code: 1,
    stdout: "",
    stderr: `interlingua: ${needed}, or print what is stored with --no-follow\n`,
  });
});

test("agents are those that a daemon started from here would find", async () => {
  const { code, stdout, stderr } = await command("agents");
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `interlingua: No daemon runs on ${directory}; this is what one started from here would find.\n`,
  });
  expect(stdout).toMatch(/^NAME +INSTALLED .*\n(.*\n)*mock +yes .*\n(.*\n)*Not installed: .*gemini/);
});

test("reading leaves the data as it was, and does not keep a daemon out", async () => {
  const expectUnchanged = async () => {
    const before = fingerprints();
    await command("sessions");
    await command("asks");
    await command("tail", "asking", "--no-follow");
    expect(fingerprints()).toEqual(before);
  };
  await expectUnchanged();
  // One that ends in good order leaves nothing in the log file of SQLite.
  await stop(await serve(["--data", directory]));
  await expectUnchanged();
  await stop(await serve(["--data", directory]));
});

/** Of every file with data; what SQLite makes for reading is not: `-shm`, and an empty `-wal`. */
function fingerprints(): Record<string, string> {
  const names = readdirSync(directory).filter((name) => !name.endsWith("-shm"));
  const files = names.filter((name) => {
    const status = statSync(join(directory, name));
    return status.isFile() && status.size > 0;
  });
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(directory, name)))
        .digest("hex"),
    ]),
  );
}
