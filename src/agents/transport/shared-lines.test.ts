import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readableText } from "../../process/line-splitter.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { AgentProcess, ProcessHost } from "../../process/process-host.ts";
import { until } from "../../testkit/until.ts";
import { type LineRouter, SharedLines } from "./shared-lines.ts";

/**
 * `a:words` is for channel a, `*:words` for everybody, `ask:words` wants an answer from nobody. `x?words` is for
 * whoever has claimed x, by a line `a:claims x`.
 */
const router: LineRouter<ReadonlyMap<string, string>> = {
  initial: new Map(),
  route(claims, line) {
    const text = readableText(line);
    const [, unknown] = /^(\w+)\?/.exec(text) ?? [];
    const owner = unknown === undefined ? text.slice(0, text.indexOf(":")) : claims.get(unknown);
    const [, claimed] = /claims (\w+)$/.exec(text) ?? [];
    const next = claimed === undefined ? claims : new Map(claims).set(claimed, owner ?? "");
    if (owner === undefined) return [next, { to: "unknown" }];
    if (owner === "*") return [next, { to: "everybody" }];
    return [next, owner === "ask" ? { to: "nobody" } : { to: "channel", channel: owner }];
  },
  afterClose: (claims, channel) => new Map([...claims].filter(([, owner]) => owner !== channel)),
  refuse: (line) => (readableText(line).startsWith("ask:") ? "a:refused" : undefined),
};

let host: ProcessHost;
beforeAll(() => {
  host = createProcessHost({ daemonId: `shared-lines-test-${process.pid}`, environment: process.env });
});
afterAll(() => host.close());

/** A process that says what it is told. */
async function start(script = "cat"): Promise<{ process: AgentProcess; shared: SharedLines<unknown> }> {
  const process = await host.spawn({ command: "sh", args: ["-c", script], cwd: tmpdir() });
  return { process, shared: new SharedLines(process, router) as SharedLines<unknown> };
}

/** The lines of a channel as they come. */
function listen(channel: AgentProcess): { lines: string[]; over: Promise<void> } {
  const lines: string[] = [];
  const over = (async () => {
    for await (const line of channel.lines) lines.push(readableText(line));
  })();
  return { lines, over };
}

describe("lines", () => {
  it("go to whom they belong, and to everybody where they belong to all", async () => {
    const { shared } = await start();
    const [a, b] = [shared.open("a"), shared.open("b")];
    const [toA, toB] = [listen(a), listen(b)];
    for (const line of ["b:one", "*:all", "a:two", "b:three"]) await a.write(line);
    await until(() => toB.lines.length === 3 && toA.lines.length === 2);
    expect(toA.lines).toEqual(["*:all", "a:two"]);
    expect(toB.lines).toEqual(["b:one", "*:all", "b:three"]);
    await shared.end();
  });

  it("wait for their owner, in their order", async () => {
    const { shared } = await start();
    const [a, b] = [shared.open("a"), shared.open("b")];
    const [toA, toB] = [listen(a), listen(b)];
    for (const line of ["x?early", "x?still early", "a:between", "b:claims x", "x?late"]) await a.write(line);
    await until(() => toB.lines.length === 4);
    expect(toB.lines).toEqual(["b:claims x", "x?early", "x?still early", "x?late"]);
    expect(toA.lines).toEqual(["a:between"]);
    await shared.end();
  });

  it("that concern nobody are dropped, and their requests refused", async () => {
    const { shared } = await start();
    const a = shared.open("a");
    const toA = listen(a);
    for (const line of ["gone:words", "ask:something"]) await a.write(line);
    await until(() => toA.lines.length > 0);
    expect(toA.lines).toEqual(["a:refused"]);
    await shared.end();
  });
});

describe("a session", () => {
  it("that leaves does not disturb the others", async () => {
    const { process, shared } = await start();
    const [a, b] = [shared.open("a"), shared.open("b")];
    const [toA, toB] = [listen(a), listen(b)];
    await a.end();
    await toA.over;
    expect(await a.exited).toEqual({ code: 0, signal: null });
    await expect(a.write("b:from the grave")).rejects.toMatchObject({ code: "session_closed" });
    await b.write("a:too late");
    await b.write("b:still here");
    await until(() => toB.lines.length > 0);
    expect(toB.lines).toEqual(["b:still here"]);
    expect(shared.isOver).toBe(false);
    await process.end();
  });

  it("that does not read does not hold up the others, and is cut off in the end", async () => {
    const { shared } = await start();
    const [slow, quick] = [shared.open("slow"), shared.open("quick")];
    const toQuick = listen(quick);
    const megabyte = "x".repeat(1024 * 1024);
    for (let count = 0; count < 33; count += 1) await quick.write(`slow:${megabyte}`);
    await quick.write("quick:done");
    await until(() => toQuick.lines.length > 0);
    expect(toQuick.lines).toEqual(["quick:done"]);
    expect(await slow.exited).toEqual({ code: null, signal: null });
    expect(slow.stderrTail()).toContain("too slow");
    const toSlow = listen(slow);
    await toSlow.over;
    expect(toSlow.lines.length).toBeGreaterThan(30);
    await shared.end();
  });
});

it("every session sees the death of the process, with its last words", async () => {
  const { shared } = await start("echo a:first; echo oh no >&2; read line; exit 3");
  const [a, b] = [shared.open("a"), shared.open("b")];
  const [toA, toB] = [listen(a), listen(b)];
  await until(() => toA.lines.length === 1);
  await a.write("now");
  await Promise.all([toA.over, toB.over]);
  for (const channel of [a, b]) {
    expect(await channel.exited).toEqual({ code: 3, signal: null });
    expect(channel.stderrTail()).toContain("oh no");
  }
  expect(shared.isOver).toBe(true);
  expect(() => shared.open("c")).toThrow("try again");
});
