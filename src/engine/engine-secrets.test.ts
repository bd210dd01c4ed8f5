/** Secrets through the engine: in no record, and whole where the agent gets them. */
import { describe, expect, it } from "vitest";
import { until } from "../testkit/until.ts";
import { open, running, text } from "./engine.test-support.ts";

describe("secrets", () => {
  it("are masked wherever they appear, whole or in pieces, and asked for again after a restart", async () => {
    const secret = 'sk-"very"-secret-value';
    const { engine, adapter, store, has } = await open();
    await engine.createSession({ id: "s", agent: "scripted", cwd: "/", env: { KEY: secret } });
    await engine.prompt("s", { parts: text(`my key is ${secret}`), whenBusy: "queue" });
    await until(() => adapter.last?.commands.length === 1);
    expect(adapter.last.options.environment).toEqual({ KEY: secret });
    expect(adapter.last.commands[0]).toMatchObject({ parts: text(`my key is ${secret}`) });
    adapter.last.output({ raw: { direction: "in", data: JSON.stringify({ said: secret }) }, drafts: [] });
    for (const piece of secret.match(/.{1,4}/g)!)
      adapter.last.say({ type: "text.delta", part: "p", delta: piece });
    adapter.last.say(
      { type: "text.delta", part: "p", delta: " sk-" },
      { type: "text.end", part: "p" },
      { type: "tool.output", call: "c", output: { deep: [secret] } },
      { type: "turn.ended", outcome: "failed", error: { code: "x", message: `bad ${secret}` } },
    );
    await has("turn.ended");
    const { events } = await store.readEvents("s", 0, 1000);
    const { raws } = await store.readRaws("s", 0, 1000);
    const { messages } = await store.listMessages("s", { limit: 10 });
    const everything = JSON.stringify([events, raws, messages, await store.getSession("s")]);
    expect(everything).not.toContain("very");
    expect(everything).toContain("[secret KEY]");
    const said = events.map(({ json }) => JSON.parse(json)).filter((event) => event.type === "text.delta");
    expect(said.map((event) => event.delta).join("")).toBe("[secret KEY] sk-");
    await engine.close();

    const again = await open({ store });
    await expect(again.engine.prompt("s", { parts: text("x"), whenBusy: "queue" })).rejects.toMatchObject({
      code: "env_required",
    });
    await again.engine.updateSession("s", { env: { OTHER: "another-value" } });
    expect((await again.engine.getSession("s")).envRequired).toBe(true);
    await again.engine.updateSession("s", { env: { KEY: secret } });
    expect(await again.engine.prompt("s", { parts: text("x"), whenBusy: "queue" })).toMatchObject({
      state: "started",
    });
  });
});

describe("new values in the middle of a turn", () => {
  it("lose nothing that was held back, and leave the old ones masked", async () => {
    const { engine, adapter, store, has } = await open();
    await engine.createSession({ id: "s", agent: "scripted", cwd: "/", env: { KEY: "first-secret" } });
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.say({ type: "text.delta", part: "p", delta: "It is first-" });
    await has("text.delta");
    await engine.updateSession("s", { env: { KEY: "a-longer-second-secret" } });
    adapter.last.say(
      { type: "text.delta", part: "p", delta: "class, not first-secret" },
      { type: "turn.ended", outcome: "completed" },
    );
    await has("turn.ended");
    await engine.prompt("s", { parts: text("now a-longer-second-secret"), whenBusy: "queue" });
    await until(() => adapter.last.commands.length === 2);
    expect(adapter.last.commands[1]).toMatchObject({ parts: text("now a-longer-second-secret") });
    const { events } = await store.readEvents("s", 0, 1000);
    const said = events.map(({ json }) => JSON.parse(json)).filter((event) => event.type === "text.delta");
    expect(said.map((event) => event.delta).join("")).toBe("It is first-class, not [secret KEY]");
    expect(JSON.stringify(events)).not.toContain("second-secret");
  });
});

describe("secret answers", () => {
  /** A question was answered, the agent has repeated the answer, and the turn is over. */
  async function answered(secret: string) {
    const { engine, adapter, store, has } = await running();
    const questions = [{ id: "q1", text: "Pass phrase?", secret: true, free: true }];
    adapter.last.say({ type: "ask.opened", ask: "q", kind: "question", title: "?", options: [], questions });
    // As every adapter does: what is sent is recorded.
    adapter.last.onCommand = (command) =>
      adapter.last.output({ raw: { direction: "out", data: JSON.stringify(command) }, drafts: [] });
    await has("ask.opened");
    const [ask] = await engine.openAsks("s");
    await engine.reply("s", ask!.ask, { answers: { q1: [secret] } }, "ann");
    await until(() => adapter.last.commands.length === 2);
    expect(adapter.last.commands[1]).toMatchObject({ answers: { q1: [secret] } });
    adapter.last.say({ type: "text.delta", part: "p", delta: `You said ${secret}.` });
    adapter.last.say({ type: "usage", input: 1, output: 1 }, { type: "turn.ended", outcome: "completed" });
    await has("turn.ended");
    const { events } = await store.readEvents("s", 0, 1000);
    const { raws } = await store.readRaws("s", 0, 1000);
    return { events: JSON.stringify(events), raws: JSON.stringify(raws) };
  }

  it("reach the agent, and are in no record of it", async () => {
    const { events, raws } = await answered("the pass phrase");
    expect(events + raws).not.toContain("pass phrase");
    expect(raws).toContain("[secret q1]");
    expect(events).toContain("You said [secret q1].");
  });

  it("are in no record also where they are short, and do not garble others", async () => {
    const { raws } = await answered("4711");
    expect(raws).not.toContain("4711");
    expect(raws).toContain("[secret q1]");
    // A word of the agent's own language.
    expect((await answered("usage")).raws).toContain("usage");
  });
});
