import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../testkit/eventually.ts";
import type { AgentProcess } from "./process-host.ts";
import { DRAIN_MS } from "./read-output.ts";
import { type Reaper, startReaper } from "./reaper.ts";
import { type SpawnAgentOptions, spawnAgent } from "./spawn-agent.ts";
import { isAlive, node, readAll, shell } from "./test-support.ts";

/** Of a kilobyte each: more than our side buffers, less than that and the system's socket buffer together. */
const UNREAD_LINES = process.platform === "linux" ? 120 : 60;

const agents: AgentProcess[] = [];
let reaper: Reaper;
let directory: string;

beforeAll(() => {
  reaper = startReaper();
  directory = mkdtempSync(join(tmpdir(), "spawn-agent-"));
});

afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.end({ graceMs: 0 })));
});

afterAll(async () => {
  await reaper.stop();
  rmSync(directory, { recursive: true });
});

async function start(options: Partial<SpawnAgentOptions>): Promise<AgentProcess> {
  const environment = {
    PATH: process.env.PATH!,
    INTERLINGUA_OWNER: `spawn-test-${process.pid}#${Math.random()}`,
  };
  const agent = await spawnAgent({ command: "cat", args: [], cwd: "/", environment, reaper, ...options });
  agents.push(agent);
  return agent;
}

describe("starting", () => {
  it("says why it cannot start a program", async () => {
    writeFileSync(join(directory, "plain"), "text");
    writeFileSync(join(directory, "script"), "#!/no/such/interpreter\n", { mode: 0o755 });
    const cases: [Partial<SpawnAgentOptions>, string][] = [
      [{ command: "no-such-agent" }, 'could not start "no-such-agent": not found on PATH'],
      [{ command: "./none", cwd: directory }, 'could not start "./none": there is no such file'],
      [
        { command: "./plain", cwd: directory },
        'could not start "./plain": permission denied; is it an executable file?',
      ],
      [
        { command: "./script", cwd: directory },
        'could not start "./script": the interpreter named in its first line was not found',
      ],
      [{ cwd: "/no/such/place" }, 'could not start "cat": there is no directory "/no/such/place" to work in'],
      [
        { cwd: join(directory, "plain") },
        `could not start "cat": there is no directory "${directory}/plain" to work in`,
      ],
    ];
    for (const [options, message] of cases) {
      await expect(start(options)).rejects.toMatchObject({ code: "agent_failed", message });
    }
  });

  it("turns what Node throws into the same kind of error", async () => {
    await expect(start({ args: ["a\0b"] })).rejects.toThrow(/^could not start "cat": /);
  });

  it("tells how the agent exited", async () => {
    expect(await (await start(shell("exit 3"))).exited).toEqual({ code: 3, signal: null });
    expect(await (await start(shell("kill -KILL $$"))).exited).toEqual({ code: null, signal: "SIGKILL" });
  });
});

describe("output", () => {
  it("delivers every line, with characters of several bytes and a last line without newline", async () => {
    const agent = await start(shell("printf 'één\\r\\n\\n漢\\nlast'"));
    expect(await readAll(agent)).toEqual(["één", "", "漢", "last"]);
  });

  it("delivers all that was written before an exit, also to a consumer that comes later", async () => {
    const agent = await start(
      node(
        `require("fs").writeSync(1, Array.from({ length: ${UNREAD_LINES} }, (_, n) => n + "x".repeat(999) + "\\n").join(""))`,
      ),
    );
    await agent.exited;
    const lines = await readAll(agent);
    expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(
      Array.from({ length: UNREAD_LINES }, (_, n) => n),
    );
  });

  it("reports an overlong line and goes on", async () => {
    const agent = await start({ ...shell("echo 123456; echo 123"), maxLineBytes: 5 });
    const lines = [];
    for await (const line of agent.lines) lines.push(line);
    expect(lines).toMatchObject([{ kind: "overlong", length: 6 }, { kind: "line" }]);
  });

  it("lets the agent wait while nobody reads", async () => {
    let written = 0;
    const agent = await start({
      ...node(`const { writeSync } = require("fs");
        for (let n = 0; n < 200; n++) { writeSync(1, "x".repeat(65535) + "\\n"); writeSync(2, n + "\\n"); }`),
      onStderrLine: () => {
        written += 1;
      },
    });
    // It stands still once two looks some time apart see the same; 200 lines would take it a few milliseconds.
    let before = -1;
    await eventually("the agent stands still", async () => {
      const isStill = written === before;
      before = written;
      await sleep(300);
      return isStill && written === before;
    });
    expect(written).toBeLessThan(100);
    expect(isAlive(agent.pid)).toBe(true);
    expect(await readAll(agent)).toHaveLength(200);
    await agent.exited;
    expect(written).toBe(200);
  });

  it("closes the pipe when its consumer leaves early", async () => {
    const agent = await start(shell("while echo line; do :; done 2>/dev/null"));
    for await (const _ of agent.lines) break;
    expect(await agent.exited).toBeDefined();
  });
});

describe("output held open by a process the agent left behind", () => {
  const someLines = `n=0; while [ $n -lt ${UNREAD_LINES} ]; do echo "line $(printf %01000d 0)"; n=$((n + 1)); done`;

  it.each([
    ["a silent one", "sleep 1000 &"],
    ["a chattering one", "(while :; do echo noise; sleep 0.02; done) &"],
    ["a flooding one", "yes noise &"],
  ])("ends after %s, with all lines of the agent", async (_, leftBehind) => {
    const agent = await start(shell(`${someLines}; ${leftBehind} exit 0`));
    const lines = await readAll(agent);
    expect(lines.filter((line) => line.startsWith("line"))).toHaveLength(UNREAD_LINES);
  });

  it("loses nothing when the consumer comes long after the exit", async () => {
    const agent = await start(shell(`${someLines}; sleep 1000 & exit 0`));
    await agent.exited;
    await sleep(2 * DRAIN_MS);
    expect(await readAll(agent)).toHaveLength(UNREAD_LINES);
  });
});

describe("stderr", () => {
  it("is read without anybody asking, and kept up to its bound", async () => {
    const agent = await start({
      ...node(`process.stderr.write("é".repeat(1e6)); process.stderr.write("!")`),
      maxStderrBytes: 1000,
    });
    await agent.exited;
    // 999 bytes before the last one cut the first character in half.
    expect(agent.stderrTail()).toBe(`${"é".repeat(499)}!`);
  });

  it("is complete once the exit is known, and comes by lines", async () => {
    const lines: string[] = [];
    const agent = await start({
      ...shell("echo one >&2; printf two >&2; exit 1"),
      onStderrLine: (line) => lines.push(line),
    });
    await agent.exited;
    expect(agent.stderrTail()).toBe("one\ntwo");
    expect(lines).toEqual(["one", "two"]);
  });
});

describe("input", () => {
  it("arrives as lines, in order, whatever its size", async () => {
    const agent = await start({ command: "cat" });
    const sent = ["a", "b\n", Buffer.from("c"), Buffer.from("d\n"), "e".repeat(1_000_000), ""];
    const writing = Promise.all(sent.map((line) => agent.write(line)));
    writing.then(() => agent.closeInput());
    expect(await readAll(agent)).toEqual(["a", "b", "c", "d", "e".repeat(1_000_000), ""]);
    await writing;
  });

  it("arrives whole when it is closed right after a long line", async () => {
    const agent = await start({ command: "cat" });
    const long = "e".repeat(2_000_000);
    const writing = Promise.all(["before", long, "after"].map((line) => agent.write(line)));
    agent.closeInput();
    expect(await readAll(agent)).toEqual(["before", long, "after"]);
    await writing;
  });

  it("is refused after it was closed, by us or by the agent, without harm to the daemon", async () => {
    const closedByUs = await start({ command: "cat" });
    closedByUs.closeInput();
    closedByUs.closeInput();
    await expect(closedByUs.write("late")).rejects.toThrow('"cat" takes no more input');

    const closedByAgent = await start(shell("exec 0<&-; echo closed; sleep 1000"));
    for await (const _ of closedByAgent.lines) break;
    await expect(closedByAgent.write("lost")).rejects.toThrow("takes no more input");
    await expect(closedByAgent.write("again")).rejects.toThrow("takes no more input");
  });

  it("rejects what was still waiting when the agent died", async () => {
    const agent = await start(shell("sleep 1000"));
    const waiting = agent.write(Buffer.alloc(10_000_000, "x"));
    process.kill(agent.pid, "SIGKILL");
    await expect(waiting).rejects.toThrow("takes no more input");
  });
});
