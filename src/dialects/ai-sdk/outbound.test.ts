import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { SessionEvent } from "../../core/event.ts";
import { expectConsistent, liveChunks } from "./expect-consistent.test-support.ts";
import { createMessageEncoder } from "./outbound.ts";
import { logOf, SCENARIOS, type ScenarioName } from "./scenarios.test-support.ts";

describe.each(Object.keys(SCENARIOS) as ScenarioName[])("%s", (name) => {
  it("is a well-formed log", () => {
    expect(checkLog(logOf(name), { complete: true })).toEqual([]);
  });

  it.each(["static", "dynamic"] as const)(
    "reads the same everywhere, with %s tool parts",
    async (toolParts) => {
      await expectConsistent(logOf(name), { toolParts });
    },
  );
});

describe("conversations with real agents", () => {
  const folder = resolve(import.meta.dirname, "../../../test/fixtures/language");
  const recordings = globSync("*/*.events.jsonl", { cwd: folder }).sort();

  it.each(recordings)("%s reads the same everywhere", async (recording) => {
    const lines = readFileSync(join(folder, recording), "utf8").trim().split("\n");
    await expectConsistent(lines.map((line): SessionEvent => JSON.parse(line)));
  });
});

describe("the encoder", () => {
  it("says whose message it is", () => {
    const encoder = createMessageEncoder({ session: { agent: "another", agentSessionId: "n" } });
    const log = logOf("text").map((event) =>
      event.type === "message.started" ? { ...event, agent: "claude", model: "big" } : event,
    );
    const chunks = log.flatMap((event) => encoder.encode(event));
    expect(chunks[0]).toEqual({
      type: "start",
      messageId: "m1",
      messageMetadata: {
        session: "s",
        agent: "claude",
        agentSessionId: "n",
        model: "big",
        turn: "t4",
        replyTo: "u1",
        createdAt: expect.any(Number),
      },
    });
  });

  it("takes the agent from the session where the log does not name it, and no model", () => {
    const encoder = createMessageEncoder({ session: { agent: "claude" } });
    const log = logOf("text").map((event) =>
      event.type === "message.started" ? { ...event, agent: undefined } : event,
    );
    const [start] = log.flatMap((event) => encoder.encode(event));
    expect(start).toMatchObject({ type: "start", messageMetadata: { agent: "claude" } });
    expect(start).not.toHaveProperty("messageMetadata.model");
  });

  it("is silent before its message begins and after it has ended", () => {
    const log = logOf("background");
    const encoder = createMessageEncoder();
    const counts = log.map((event) => encoder.encode(event).length);
    const start = log.findIndex((event) => event.type === "message.started");
    const end = log.findIndex((event) => event.type === "turn.ended");
    expect(start).toBeGreaterThan(0);
    expect(end).toBeLessThan(log.length - 1);
    expect(counts.slice(0, start).every((count) => count === 0)).toBe(true);
    expect(counts.slice(end + 1).every((count) => count === 0)).toBe(true);
  });

  it("makes dynamic tool parts where they are wanted", () => {
    const chunks = liveChunks(logOf("parallel tools"), "m1", { toolParts: "dynamic" });
    const tools = chunks.filter((chunk) => chunk.type.startsWith("tool-"));
    expect(tools).not.toHaveLength(0);
    for (const chunk of tools) expect(chunk).toMatchObject({ dynamic: true });
  });
});
