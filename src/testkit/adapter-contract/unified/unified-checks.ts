/**
 * The guide's own lists of tests, by their names there: its port is opened over an adapter of ours, and UnifiedMessages go
 * in and come out.
 */
import assert from "node:assert/strict";
import type { Configurable, PermissionHandler } from "../../../core/adapter.ts";
import { PERMISSION_MODES } from "../../../core/capability.ts";
import { createUnifiedMessage } from "../../../unified/create-unified-message.ts";
import { toUnifiedAdapter } from "../../../unified/to-unified-adapter.ts";
import type { UnifiedAgentSession } from "../../../unified/to-unified-session.ts";
import type { SequencedMessage } from "../../../unified/unified-adapter.ts";
import type { UnifiedMessage } from "../../../unified/unified-message.ts";
import type { AdapterCheck } from "../adapter-contract.ts";
import { assertNoProcess, newSessionId, outcomeOf } from "../with-run.ts";
import { createUnified, openUnified, withUnified } from "./unified-run.ts";

/** @example for (const [name, check] of Object.entries(UNIFIED_CHECKS)) await check(contract); */
export const UNIFIED_CHECKS: Readonly<Record<string, AdapterCheck>> = {
  async "exposes a name"(contract) {
    const adapter = await createUnified(contract);
    assert.ok(adapter.name);
  },

  async "exposes capabilities"(contract) {
    const { capabilities } = await createUnified(contract);
    for (const name of ["streaming", "permissions", "slashCommands"] as const)
      assert.equal(typeof capabilities[name], "boolean", name);
    assert.ok(["local", "remote", "both"].includes(capabilities.availability));
  },

  async "connects and returns a session"(contract) {
    const sessionId = newSessionId();
    await withUnified(
      contract,
      async (run) => {
        assert.equal(run.session.sessionId, sessionId);
        await run.until(() => run.of("session_init").length === 1);
      },
      { sessionId },
    );
  },

  "sends a message and receives a response": (contract) =>
    withUnified(contract, async (run) => {
      const { prompt, holds } = contract.scenarios.answer;
      const result = await run.turn(prompt);
      assert.equal(result.metadata.outcome, "completed", JSON.stringify(result));
      const [answer] = run
        .of("assistant")
        .filter(({ metadata }) => metadata.parent_tool_use_id === undefined);
      assert.equal(answer?.metadata.inResponseTo, result.metadata.inResponseTo);
      assert.ok(holds(run.view), `"${prompt}" was answered with: ${JSON.stringify(answer)}`);
    }),

  async "close() terminates the message stream"(contract) {
    const run = await openUnified(contract, await createUnified(contract));
    run.prompt(contract.scenarios.endless.prompt);
    await run.until(() => run.of("stream_event").some(({ content }) => content.length > 0));
    await run.session.close();
    await run.over;
    const next = await run.session.messages[Symbol.asyncIterator]().next();
    assert.equal(next.done, true);
    await run.session.close();
    await assertNoProcess(run.session.sessionId);
  },

  async "send() throws after close()"(contract) {
    const run = await openUnified(contract, await createUnified(contract));
    await run.session.close();
    assert.throws(() => run.session.send(greeting()), /closed/i);
  },

  async "connect() rejects on connection failure"(contract) {
    const { adapter = await contract.createAdapter(), options } = contract.failure();
    const unified = toUnifiedAdapter(adapter, { connect: { ...contract.connectOptions(), ...options } });
    const error = await outcomeOf(() => unified.connect({ sessionId: newSessionId() }));
    assert.ok(error instanceof Error, "a session came of a connection that cannot work");
    assert.notEqual(error.message, "");
  },

  async "supports multiple concurrent sessions"(contract) {
    const adapter = await createUnified(contract);
    const { answer, stream } = contract.scenarios;
    const [one, other] = await Promise.all([openUnified(contract, adapter), openUnified(contract, adapter)]);
    await Promise.all([one.turn(answer.prompt), other.turn(stream.prompt)]);
    await Promise.all([one.session.close(), other.session.close()]);
    assert.ok(answer.holds(one.view));
    assert.ok(!answer.holds(other.view), "one session got what was meant for the other");
    for (const { session, messages } of [one, other])
      for (const { metadata } of messages) assert.equal(metadata.session_id, session.sessionId);
  },

  async "closing one session does not affect another"(contract) {
    const adapter = await createUnified(contract);
    const { answer, endless } = contract.scenarios;
    const [one, other] = await Promise.all([openUnified(contract, adapter), openUnified(contract, adapter)]);
    one.prompt(endless.prompt);
    await other.turn(answer.prompt);
    await one.session.close();
    const { metadata } = await other.turn(answer.prompt);
    await other.session.close();
    assert.equal(metadata.outcome, "completed");
  },

  async "accepts resume option"(contract) {
    const adapter = await createUnified(contract);
    const { capabilities } = await contract.createAdapter();
    const { told, prompt, holds } = contract.scenarios.memory;
    const sessionId = newSessionId();
    const first = await openUnified(contract, adapter, { sessionId });
    await first.turn(told);
    await first.session.close();
    const second = await openUnified(contract, adapter, { sessionId, resume: true });
    const { metadata } = await second.turn(prompt);
    await second.session.close();
    assert.equal(metadata.outcome, "completed");
    if (capabilities.resume) assert.ok(holds(second.view), "it did not know what it was told before");
  },

  async "accepts adapterOptions"(contract) {
    const known = { ...contract.connectOptions().adapterOptions, ...contract.adapterOptions };
    await withUnified(contract, (run) => run.until(() => run.of("session_init").length === 1), {
      adapterOptions: known,
    });
    const adapter = await createUnified(contract);
    const options = { sessionId: newSessionId(), adapterOptions: { noAdapterKnowsThis: true } };
    assert.ok((await outcomeOf(() => adapter.connect(options))) instanceof Error, "options do not reach it");
  },

  "Interruptible: session can be interrupted": (contract) =>
    withUnified(contract, async (run) => {
      const { answer, endless } = contract.scenarios;
      run.prompt(endless.prompt);
      await run.until(() => run.of("stream_event").some(({ content }) => content.length > 0));
      run.session.interrupt();
      await run.until(() => run.of("result").length === 1);
      const [{ metadata }] = run.of("result") as [UnifiedMessage];
      assert.equal(metadata.outcome, "interrupted");
      assert.equal(metadata.error_code, "aborted");
      assert.equal((await run.turn(answer.prompt)).metadata.outcome, "completed");
      // As a message it is answered.
      const message = createUnifiedMessage({ type: "interrupt", role: "user" });
      run.session.send(message);
      await run.until(() => run.of("control_response").some(isFor(message)));
    }),

  "Configurable: model can be changed": (contract) =>
    withUnified(contract, async (run) => {
      const { model, prompt, holds } = contract.scenarios.model;
      if (!isConfigurable(run.session)) return;
      run.session.setModel(model);
      const { metadata } = await run.turn(prompt);
      assert.equal(metadata.outcome, "completed");
      assert.ok(holds(run.view), "the turn was done by another model");
    }),

  "Configurable: permission mode can be changed": (contract) =>
    withUnified(contract, async (run) => {
      const { capabilities } = await contract.createAdapter();
      const modes = contract.permissionModes ?? capabilities.permissionModes;
      if (!isConfigurable(run.session)) return;
      const isInForce = (mode: string) =>
        run.messages.some(({ metadata }) => metadata.permissionMode === mode);
      // The first is in force from the beginning, and not told again.
      for (const mode of modes.slice(1)) {
        run.session.setPermissionMode(mode);
        await run.until(() => isInForce(mode));
      }
      const strange = [...PERMISSION_MODES].find((mode) => !capabilities.permissionModes.includes(mode));
      const refused = { permissionMode: strange ?? "no-such-mode" };
      const message = createUnifiedMessage({ type: "configuration_change", role: "user", metadata: refused });
      run.session.send(message);
      await run.until(() => run.of("control_response").some(isFor(message)));
      const answer = run.of("control_response").find(isFor(message))!;
      assert.equal(answer.metadata.subtype, "error", "a mode it does not have was taken");
    }),

  "runtime narrowing: check for Interruptible": (contract) =>
    withUnified(contract, async ({ session }) => {
      assert.ok("interrupt" in session);
    }),

  "runtime narrowing: check for Configurable": (contract) =>
    withUnified(contract, async ({ session }) => {
      const { capabilities } = await contract.createAdapter();
      assert.equal("setModel" in session, capabilities.setModel);
      assert.equal("setPermissionMode" in session, capabilities.setModel);
    }),

  PermissionHandler: (contract) =>
    withUnified(contract, async (run) => {
      const { capabilities } = await contract.createAdapter();
      const { session } = run;
      assert.equal("permissionRequests" in session, capabilities.permissions);
      if (!isPermissionHandler(session)) return;
      run.prompt(contract.scenarios.permission.prompt);
      const requests: string[] = [];
      const answering = (async () => {
        for await (const { requestId, toolName } of session.permissionRequests) {
          assert.ok(toolName, "a request has to name its tool");
          requests.push(requestId);
          session.respondToPermission(requestId, "allow");
          assert.throws(() => session.respondToPermission(requestId, "allow"), "a second answer was taken");
        }
      })();
      await run.until(() => run.of("result").length === 1);
      assert.ok(requests.length > 0, "permissions are declared, and nothing was asked");
      assert.ok(contract.scenarios.permission.isAllowed(run.view), 'the agent does not act on "allow"');
      const asked = run.of("permission_request").filter(({ metadata }) => metadata.kind === "permission");
      assert.deepEqual(
        requests,
        asked.map(({ metadata }) => metadata.request_id),
      );
      await session.close();
      await answering;
    }),

  "PermissionHandler: a denial by message": (contract) =>
    withUnified(contract, async (run) => {
      const { capabilities } = await contract.createAdapter();
      if (!capabilities.permissions) return;
      run.prompt(contract.scenarios.permission.prompt);
      const answered = new Set<unknown>();
      await run.until(() => {
        for (const { metadata } of run.of("permission_request")) {
          if (answered.has(metadata.request_id)) continue;
          answered.add(metadata.request_id);
          const denial = { request_id: metadata.request_id, behavior: "deny" };
          run.session.send(
            createUnifiedMessage({ type: "permission_response", role: "user", metadata: denial }),
          );
        }
        return run.of("result").length === 1;
      });
      assert.ok(answered.size > 0, "nothing was asked");
      assert.ok(contract.scenarios.permission.isDenied(run.view), 'the agent does not act on "deny"');
    }),

  "Reconnectable: replays from a sequence number": (contract) =>
    withUnified(contract, async (run) => {
      await run.turn(contract.scenarios.answer.prompt);
      // An agent may go on after its turn, with a title for example.
      const seen = run.messages.filter(({ type }) => type !== "control_response").map(({ id }) => id);
      const all = await readUntil(seen.at(-1), run.session.replay(0));
      const numbers = all.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
      assert.deepEqual(
        numbers,
        numbers.map((_, place) => place + 1),
        "there is a gap",
      );
      const middle = Math.floor(numbers.length / 2);
      const place = all.findIndex(({ seq }) => seq === middle);
      assert.deepEqual(await readUntil(seen.at(-1), run.session.replay(middle)), all.slice(place + 1));
      const ids = all.map(({ message_id }) => message_id);
      assert.equal(new Set(ids).size, ids.length, "two messages share an id");
      assert.deepEqual(
        seen.filter((id) => !ids.includes(id)),
        [],
        "messages were seen that are not replayed",
      );
    }),
};

function greeting(): UnifiedMessage {
  return createUnifiedMessage({
    type: "user_message",
    role: "user",
    content: [{ type: "text", text: "Hello" }],
  });
}

function isFor({ id }: UnifiedMessage): (answer: UnifiedMessage) => boolean {
  return ({ metadata }) => metadata.inResponseTo === id;
}

async function readUntil(
  id: string | undefined,
  replay: AsyncIterable<SequencedMessage>,
): Promise<SequencedMessage[]> {
  const messages: SequencedMessage[] = [];
  for await (const message of replay) {
    messages.push(message);
    if (message.message_id === id) break;
  }
  return messages;
}

function isConfigurable(session: UnifiedAgentSession): session is UnifiedAgentSession & Configurable {
  return "setModel" in session;
}

function isPermissionHandler(
  session: UnifiedAgentSession,
): session is UnifiedAgentSession & PermissionHandler {
  return "permissionRequests" in session;
}
