/** Forks and prompts that carry what somebody else chose, in the hands of people who may not choose it. */
import { describe, expect, it } from "vitest";
import { principal } from "../../core/principal.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";

const OPERATOR = principal("olga", "v1", { token: "itk_olga", name: "olga", role: "operator" });
const FORBIDDEN = { code: "forbidden", extras: { right: "session.bypass" } };
const UNASKED = { approvals: "never" };

/** Ends its turn when it is told to stop. */
function adapterWithApprovals(): ScriptedAdapter {
  const adapter = new ScriptedAdapter();
  adapter.onConnect = (session) => {
    const choices = ["always", "never"].map((id) => ({ id }));
    session.say({
      type: "session.updated",
      settings: [
        { id: "approvals", name: "Approvals", value: "always", choices },
        {
          id: "effort",
          name: "Effort",
          value: "low",
          category: "thought_level",
          choices: [{ id: "low" }, { id: "high" }],
        },
      ],
    });
    session.onCommand = ({ type }) => {
      if (type === "interrupt") session.say({ type: "turn.ended", outcome: "interrupted" });
    };
  };
  return adapter;
}

async function opened() {
  const all = await open({ adapter: adapterWithApprovals() });
  await create(all.engine);
  const send = (id: string, settings?: Record<string, string>) =>
    all.engine.run(
      "prompt",
      { session: "s", id, parts: text("the owner's words"), settings, whenBusy: "queue" },
      TESTER,
    );
  return { ...all, send };
}

describe("a prompt of the owner whose settings ask nobody", () => {
  it("cannot be given other words by an operator while it waits", async () => {
    const { engine, send, has, events } = await opened();
    await send("first");
    await has("turn.started");
    await send("waiting", UNASKED);
    const before = (await events()).length;
    await expect(
      engine.run("changeQueued", { session: "s", message: "waiting", parts: text("others") }, OPERATOR),
    ).rejects.toMatchObject(FORBIDDEN);
    await expect(
      engine.run("edit", { session: "s", id: "waiting", parts: text("others") }, OPERATOR),
    ).rejects.toMatchObject(FORBIDDEN);
    expect(await events()).toHaveLength(before);
    await engine.run(
      "changeQueued",
      { session: "s", message: "waiting", parts: text("the owner's other words") },
      TESTER,
    );
    await send("plain", { effort: "high" });
    await engine.run("changeQueued", { session: "s", message: "plain", parts: text("others") }, OPERATOR);
  });

  it("cannot be edited or repeated by an operator once it was answered", async () => {
    const { engine, adapter, send, has, events } = await opened();
    await send("done", UNASKED);
    await has("turn.started");
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("turn.ended");
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status === "idle");
    const edit = { id: "done", parts: text("others") };
    await expect(engine.run("edit", { session: "s", ...edit }, OPERATOR)).rejects.toMatchObject(FORBIDDEN);
    await expect(engine.run("regenerate", { session: "s", prompt: edit }, OPERATOR)).rejects.toMatchObject(
      FORBIDDEN,
    );
    await expect(engine.run("regenerate", { session: "s" }, OPERATOR)).rejects.toMatchObject(FORBIDDEN);
    expect((await events()).some(({ type }) => type === "conversation.rewound")).toBe(false);
    await engine.run("edit", { session: "s", ...edit }, TESTER);
  });
});

describe("a fork", () => {
  it("by an operator is refused where a setting of the session asks nobody", async () => {
    const { engine, store } = await opened();
    const request = { id: "quiet", agent: "scripted", cwd: "/", settings: UNASKED };
    await engine.run("createSession", request, TESTER);
    await expect(engine.run("forkSession", { session: "quiet", id: "copy" }, OPERATOR)).rejects.toMatchObject(
      FORBIDDEN,
    );
    expect(await store.getSession("copy")).toBeUndefined();
    await engine.run("forkSession", { session: "quiet", id: "copy" }, TESTER);
    await engine.run("forkSession", { session: "s", id: "asking" }, OPERATOR);
  });
});
