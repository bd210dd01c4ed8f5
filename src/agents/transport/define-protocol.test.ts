import { tmpdir } from "node:os";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { InterlinguaError } from "../../core/error.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import { until } from "../../testkit/until.ts";
import { CAPABILITIES } from "../mock/manifest.ts";
import { type ChildOpening, defineProtocol, type ProtocolDefinition } from "./define-protocol.ts";

const host = createProcessHost({ daemonId: `define-protocol-${process.pid}`, environment: process.env });
afterAll(() => host.close());

const programs = {
  find: async () => undefined,
  install: () => Promise.reject(new Error("nothing is installed here")),
};

const session = { sessionId: "s", cwd: tmpdir() };

type Definition = ProtocolDefinition<string, { loud?: boolean }, unknown>;

/** An agent in shell: it is ready when it has said something. `opened` and `ended` count. */
function agent(script: string, opening: Partial<ChildOpening<string>> = {}, parts: Partial<Definition> = {}) {
  const counts = { opened: 0, ended: 0, released: 0 };
  const protocol = defineProtocol<string, { loud?: boolean }, unknown>({
    name: "shell",
    title: "The shell",
    capabilities: CAPABILITIES,
    environmentKeys: [],
    optionsSchema: z.strictObject({ loud: z.boolean().optional() }),
    settings: [{ id: "effort", choices: [{ id: "low" }] }],
    translator: {
      initial: "",
      translate: (state, { direction, data }) =>
        direction === "in" && typeof data === "string"
          ? [data, [{ type: "session.attached", agentSessionId: data }]]
          : [state, []],
    },
    decodeCommands: () => [],
    probe: async () => ({ installed: true }),
    async open({ connect: { cwd, sessionId } }) {
      counts.opened += 1;
      return {
        launch: { command: "sh", args: ["-c", script], cwd, sessionId },
        encoder: { open: (state) => ({ step: state === "" ? "wait" : "ready" }), encode: () => [] },
        end: () => {
          counts.ended += 1;
        },
        ...opening,
      };
    },
    ...parts,
  });
  const processHost = {
    ...host,
    async endSession() {
      counts.released += 1;
    },
  };
  const adapter = protocol.createAdapter({
    processHost,
    programs,
    environment: () => ({}),
    directory: tmpdir,
  });
  return { adapter, counts };
}

it("what a session needs is cleaned up when it is closed", async () => {
  const { adapter, counts } = agent("echo hello; cat");
  const opened = await adapter.connect(session);
  expect(counts.ended).toBe(0);
  await opened.close();
  expect(counts.ended).toBeGreaterThan(0);
});

it("what a session needs is cleaned up when its agent exits by itself", async () => {
  const { adapter, counts } = agent("echo hello; sleep 0.1");
  const opened = await adapter.connect(session);
  for await (const _ of opened.messages);
  await until(() => counts.ended > 0);
});

it("what a session needs is cleaned up when it cannot be opened, and the agent's folder explains why", async () => {
  const explained = new InterlinguaError("agent_not_signed_in", "Sign in to the shell.");
  const { adapter, counts } = agent("exit 1", { explainFailure: () => explained });
  await expect(adapter.connect(session)).rejects.toBe(explained);
  expect(counts.ended).toBeGreaterThan(0);
});

it("options that the agent does not know are refused before anything is opened", async () => {
  const { adapter, counts } = agent("echo hello; cat");
  await expect(adapter.connect({ ...session, adapterOptions: { pace: 1 } })).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringMatching(/^The shell does not take these options/),
  });
  expect(counts.opened).toBe(0);
});

it("settings that the agent does not have are refused by its title", () => {
  const { adapter } = agent("exit 1");
  expect(adapter.settle?.({ settings: { effort: "low" } })).toEqual({ settings: { effort: "low" } });
  expect(() => adapter.settle?.({ settings: { colour: "red" } })).toThrow(
    /^The shell has no setting "colour"/,
  );
});

it("a copy is made of the conversation the agent told last", async () => {
  const { adapter } = agent("echo one; echo two; cat", { fork: async (id) => `copy of ${id}` });
  const opened = await adapter.connect(session);
  const messages = opened.messages[Symbol.asyncIterator]();
  for (;;) {
    const { value } = await messages.next();
    if (value.raw.data === "two") break;
  }
  expect(await (opened as unknown as { fork(): Promise<string> }).fork()).toBe("copy of two");
  await opened.close();
});

it("a session of an agent whose processes are shared leaves nothing to be ended", async () => {
  const own = agent("exit 1");
  await own.adapter.release("s");
  expect(own.counts.released).toBe(1);
  const shared = agent("exit 1", {}, { share: () => "servers" });
  await shared.adapter.release("s");
  expect(shared.counts.released).toBe(0);
});

it("an agent that reports no conversation id has the one that its adapter supplies", async () => {
  const silent = { initial: "", translate: () => ["ready", []] as [string, []] };
  const { adapter } = agent("echo hello; cat", { agentSessionId: "own-s" }, { translator: silent });
  const opened = await adapter.connect(session);
  expect(opened.agentSessionId).toBe("own-s");
  await opened.close();
});
