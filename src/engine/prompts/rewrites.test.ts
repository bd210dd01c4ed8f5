/** Edits and regenerations that meet one another, or what the agent does meanwhile. */
import { describe, expect, it } from "vitest";
import type { BackendCapabilities } from "../../core/capability.ts";
import { checkLog } from "../../core/check-log.ts";
import { foldMessages } from "../../core/fold-messages.ts";
import { principal } from "../../core/principal.ts";
import { openStore } from "../../store/open-store.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";
import { SharedClaims } from "../files/shared-claims.test-support.ts";

const OWNER = principal("owner", "v1");

/** It ends its turn when it is told to stop. */
function obedientAdapter(capabilities: Partial<BackendCapabilities> = {}): ScriptedAdapter {
  const adapter = new ScriptedAdapter(capabilities);
  adapter.onConnect = (session) => {
    session.onCommand = ({ type }) => {
      if (type === "interrupt") session.say({ type: "turn.ended", outcome: "interrupted" });
    };
  };
  return adapter;
}

describe("Edits", () => {
  it("of one message at once are made one after the other, and none is refused", async () => {
    const { engine, events, has } = await open({ adapter: obedientAdapter() });
    await create(engine);
    await engine.run("prompt", { session: "s", id: "u1", parts: text("first"), whenBusy: "queue" }, TESTER);
    await has("message.started");
    const edits = ["second", "third", "fourth"].map((words) =>
      engine.run("edit", { session: "s", id: "u1", parts: text(words) }, OWNER),
    );
    await Promise.all([
      ...edits,
      engine.run("regenerate", { session: "s", prompt: { id: "u1", parts: text("old") } }, OWNER),
    ]);
    await has("message.started", 5);
    const log = await events();
    expect(checkLog(log)).toEqual([]);
    expect(foldMessages(log)[0]).toMatchObject({ id: "u1", parts: text("fourth") });
  });

  it("of a waiting prompt that begins meanwhile take it back and send it again", async () => {
    const inner = await openStore(":memory:");
    let afterRead: (() => Promise<void>) | undefined;
    const store = instrumentStore(inner, {
      async getMessage(session, message) {
        const row = await inner.getMessage(session, message);
        const act = afterRead;
        afterRead = undefined;
        await act?.();
        return row;
      },
    });
    const { engine, adapter, events, has } = await open({ store, adapter: obedientAdapter() });
    await create(engine);
    await engine.run("prompt", { session: "s", id: "u1", parts: text("first"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    await engine.run("prompt", { session: "s", id: "u2", parts: text("second"), whenBusy: "queue" }, TESTER);
    afterRead = async () => {
      adapter.last.say({ type: "turn.ended", outcome: "completed" });
      await has("turn.started", 2);
    };
    await engine.run("edit", { session: "s", id: "u2", parts: text("edited") }, OWNER);
    await has("turn.started", 3);
    const log = await events();
    expect(checkLog(log)).toEqual([]);
    expect(foldMessages(log).map(({ id, parts }) => parts && [id, parts])).toEqual([
      ["u1", text("first")],
      undefined,
      ["u2", text("edited")],
      undefined,
    ]);
  });

  it("of a session that is lost to another node fail, and do nothing when it comes back", async () => {
    const claims = new SharedClaims(await openStore(":memory:"));
    const [a, b] = [claims.join("a"), claims.join("b")];
    const first = await open(a);
    await create(first.engine);
    await first.engine.run(
      "prompt",
      { session: "s", id: "u1", parts: text("first"), whenBusy: "queue" },
      TESTER,
    );
    await until(() => first.adapter.last?.commands.length === 1);
    const edit = first.engine.run("edit", { session: "s", id: "u1", parts: text("second") }, OWNER);
    const refused = expect(edit).rejects.toMatchObject({ code: "session_moved" });
    await until(() => first.adapter.last.commands.at(-1)?.type === "interrupt");

    a.die();
    const second = await open({ ...b, isKilled: true });
    await second.has("turn.ended");
    first.adapter.last.say({ type: "text.delta", part: "p", delta: "too late" });
    await refused;
    const next = first.engine.run("edit", { session: "s", id: "u1", parts: text("third") }, OWNER);
    await expect(next).rejects.toMatchObject({ code: "not_owner" });

    b.die();
    await first.engine.run(
      "prompt",
      { session: "s", id: "u2", parts: text("go on"), whenBusy: "queue" },
      TESTER,
    );
    await until(() => first.adapter.last.commands.at(-1)?.type === "prompt");
    first.adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await first.has("turn.ended", 2);
    const log = await first.events();
    expect(checkLog(log)).toEqual([]);
    expect(log.filter(({ type }) => type === "conversation.rewound")).toEqual([]);
    expect(foldMessages(log)[0]).toMatchObject({ id: "u1", parts: text("first") });
  });

  it("that the agent cannot take cost nothing of the history", async () => {
    const { engine, adapter, events, has } = await open({ adapter: obedientAdapter({ images: false }) });
    await create(engine);
    await engine.run("prompt", { session: "s", id: "u1", parts: text("first"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    await engine.run("prompt", { session: "s", id: "u2", parts: text("second"), whenBusy: "queue" }, TESTER);
    const before = await events();
    const picture = { type: "file", url: "data:image/png;base64,AA==", mediaType: "image/png" } as const;
    const refused = engine.run("edit", { session: "s", id: "u1", parts: [picture] }, OWNER);
    await expect(refused).rejects.toMatchObject({ code: "unsupported" });
    expect(await events()).toEqual(before);
    await has("message.started");
  });

  it("of what the agent said stop and withdraw nothing", async () => {
    const { engine, events, has } = await open({ adapter: obedientAdapter() });
    await create(engine);
    await engine.run("prompt", { session: "s", id: "u1", parts: text("first"), whenBusy: "queue" }, TESTER);
    await has("message.started");
    await engine.run("prompt", { session: "s", id: "u2", parts: text("second"), whenBusy: "queue" }, TESTER);
    const before = await events();
    const answer = before.find(({ type }) => type === "message.started")!.message!;
    const refused = engine.run("edit", { session: "s", id: answer, parts: text("mine") }, OWNER);
    await expect(refused).rejects.toMatchObject({ code: "message_not_found" });
    expect(await events()).toEqual(before);
  });

  it("keep the settings of the prompt", async () => {
    const adapter = obedientAdapter();
    const obey = adapter.onConnect!;
    adapter.onConnect = (session) => {
      obey(session);
      session.onConfigure = async () => {};
    };
    const { engine, events, has } = await open({ adapter });
    await create(engine);
    const settings = { effort: "high" };
    await engine.run(
      "prompt",
      { session: "s", id: "u1", parts: text("first"), whenBusy: "queue", settings },
      TESTER,
    );
    await has("message.started");
    await engine.run("edit", { session: "s", id: "u1", parts: text("second") }, OWNER);
    const accepted = (await events()).filter(({ type }) => type === "prompt.accepted");
    expect(accepted).toMatchObject([{ settings }, { settings }]);
  });
});
