import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { BackendAdapter } from "../../core/adapter.ts";
import { capabilitiesSchema } from "../../core/capability.ts";
import { checkLog } from "../../core/check-log.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { ExtendedSession } from "../../core/extend-session.ts";
import { isAlive, withMock } from "./with-mock.test-support.ts";

const mock = withMock();

async function failureOf(adapter: BackendAdapter, options: object): Promise<InterlinguaError> {
  const connecting = adapter.connect({ sessionId: "s", cwd: mock().directory, ...options });
  const error = await connecting.then(
    () => new Error("it connected"),
    (reason) => reason,
  );
  expect(InterlinguaError.isInstance(error), String(error)).toBe(true);
  return error;
}

describe("connecting", () => {
  it("tells about itself before any process is started", async () => {
    const { adapter } = mock();
    expect(adapter.name).toBe("mock");
    expect(capabilitiesSchema.parse(adapter.capabilities)).toEqual(adapter.capabilities);
    expect(await adapter.probe()).toMatchObject({ installed: true, signedIn: true, version: "1.0.0" });
  });

  it("gives the handshake as first records: spawn without environment, what was sent, what came", async () => {
    const run = await mock().start({ environment: { PASSPHRASE: "open sesame" }, model: "mock-small" });
    await run.untilEvent("session.attached");
    const [spawn, out, answer] = run.outputs;
    expect(spawn?.raw).toMatchObject({
      direction: "process",
      data: { event: "spawn", pid: expect.any(Number), command: process.execPath },
    });
    expect([out?.raw.direction, answer?.raw.direction]).toEqual(["out", "in"]);
    expect(run.of("session.attached")[0]).toMatchObject({
      agentVersion: "1.0.0",
      agentSessionId: expect.stringMatching(/^mock-/),
      model: "mock-small",
      mode: "build",
      permissionMode: "default",
      models: [{ id: "mock-large" }, { id: "mock-small" }],
      commands: [{ name: "help" }, { name: "compact" }],
    });
    await run.close();
    expect(JSON.stringify(run.outputs)).not.toContain("open sesame");
  });

  it("rejects a directory that is not there", async () => {
    const error = await failureOf(mock().adapter, { cwd: "/does/not/exist" });
    expect(error.code).toBe("agent_failed");
    expect(error.message).toContain("/does/not/exist");
  });

  it("rejects a mode, a conversation or an option it does not know", async () => {
    const { adapter } = mock();
    expect((await failureOf(adapter, { mode: "warp" })).message).toContain("build, plan");
    expect((await failureOf(adapter, { permissionMode: "yolo" })).code).toBe("unsupported");
    const unknown = { resume: true, agentSessionId: "mock-never-was" };
    const lost = await failureOf(adapter, unknown);
    expect(lost.code).toBe("conversation_lost");
    expect(lost.message).toContain("mock-never-was");
    expect((await failureOf(adapter, { resume: true })).code).toBe("conversation_lost");
    const option = await failureOf(adapter, { adapterOptions: { speed: 3 } });
    expect(option).toMatchObject({ code: "invalid_request", extras: { errors: [{ path: "options" }] } });
  });
});

describe("closing", () => {
  it("ends the messages with the exit and leaves no process; later sends throw at once", async () => {
    const run = await mock().start();
    await run.turn("scenario:text");
    const { pid } = run;
    expect(isAlive(pid)).toBe(true);
    await Promise.all([run.close(), run.session.close()]);
    expect(isAlive(pid)).toBe(false);
    expect(run.outputs.at(-1)?.raw).toEqual({
      direction: "process",
      data: { event: "exit", code: 0, signal: null, stderr: "" },
    });
    expect(() => run.session.send({ type: "interrupt" })).toThrow("The session is closed");
  });

  it("ends an agent that is deaf to everything", async () => {
    const run = await mock().start();
    await run.prompt("scenario:hang-deaf");
    await run.untilEvent("text.delta");
    await run.interrupt();
    await setTimeout(50);
    expect(run.of("turn.ended")).toHaveLength(0);
    const { pid } = run;
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
    expect(isAlive(pid)).toBe(false);
    expect(run.outputs.at(-1)?.raw.data).toMatchObject({ event: "exit", signal: "SIGKILL" });
    expect(run.of("turn.ended")[0]?.outcome).toBe("interrupted");
  });

  it("ends only the agent when its children are to be kept", async () => {
    const run = await mock().start();
    await run.prompt("scenario:hang-deaf");
    await run.untilEvent("text.delta");
    await run.session.close({ keepChildren: true });
    await run.over;
    expect(isAlive(run.pid)).toBe(false);
  });

  it("does not touch other sessions", async () => {
    const [one, other] = await Promise.all([mock().start(), mock().start()]);
    await Promise.all([one.turn("scenario:echo one"), other.turn("scenario:echo other")]);
    await one.close();
    await other.turn("scenario:echo again");
    expect(one.text).toBe("scenario:echo one");
    expect(other.text).toBe("scenario:echo otherscenario:echo again");
    expect(checkLog(await other.close(), { complete: true })).toEqual([]);
  });
});

describe("an agent that dies", () => {
  it("crash: the messages end with the exit and the last words", async () => {
    const run = await mock().start();
    await run.prompt("scenario:crash");
    await run.over;
    expect(run.outputs.at(-1)?.raw.data).toMatchObject({
      event: "exit",
      code: null,
      signal: "SIGKILL",
      stderr: expect.stringContaining("fatal, giving up"),
    });
    expect(run.of("turn.ended")[0]).toMatchObject({ outcome: "failed", error: { code: "agent_exited" } });
    expect(checkLog(run.events, { complete: true })).toEqual([]);
    expect(() => run.session.send({ type: "interrupt" })).toThrow("has exited");
    await run.session.close();
  });
});

describe("the optional methods", () => {
  it("are thin wrappers over send", async () => {
    const run = await mock().start();
    const session = run.session as ExtendedSession;
    session.setModel?.("mock-small");
    session.setPermissionMode?.("acceptEdits");
    await run.until(() => run.machine.state.permissionMode === "acceptEdits");
    expect(run.machine.state.model).toBe("mock-small");
    await run.prompt("scenario:hang");
    await run.untilEvent("text.delta");
    session.interrupt();
    await run.untilEvent("turn.ended");
    await run.close();
    expect("fork" in session).toBe(false);
    expect(() => session.interrupt()).toThrow("The session is closed");
  });

  it("give permission requests as a stream, and take answers once", async () => {
    const run = await mock().start();
    const session = run.session as ExtendedSession;
    await run.prompt("scenario:approve-two");
    const seen: string[] = [];
    for await (const { requestId, toolName, input } of session.permissionRequests!) {
      seen.push(`${requestId} ${toolName} ${JSON.stringify(input)}`);
      session.respondToPermission?.(requestId, seen.length === 1 ? "allow" : "deny");
      expect(() => session.respondToPermission?.(requestId, "deny")).toThrow(requestId);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([
      'ask-1 run_command {"command":"npm run lint"}',
      'ask-2 run_command {"command":"npm run build"}',
    ]);
    await run.untilEvent("turn.ended");
    expect(run.text).toBe("1 of 2 commands were allowed.");
    await run.close();
  });
});

describe("back-pressure", () => {
  it("holds the agent back while nobody reads", async () => {
    const session = await mock().adapter.connect({ sessionId: "unread", cwd: mock().directory });
    const parts = [{ type: "text" as const, text: "scenario:burst:2000000" }];
    await session.send({ type: "prompt", message: "u1", parts });
    await setTimeout(300);
    await session.close();
    let records = 0;
    for await (const _ of session.messages) records += 1;
    // What fits into pipes and buffers, out of two million.
    expect(records).toBeGreaterThan(100);
    expect(records).toBeLessThan(20_000);
  });
});
