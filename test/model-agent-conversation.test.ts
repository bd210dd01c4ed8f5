/** What a person and the model agent have said, over the daemon: questions, and conversations that go on. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { text, toolCall } from "../src/testkit/scripted-model/index.ts";
import type { AgentSession, Turn } from "./agents/agent-session.ts";
import type { AgentWorld } from "./agents/agent-world.ts";
import { MODEL } from "./agents/model-table.ts";

const SCRIPTS = {
  open: [[toolCall("ask_user", { question: "What name?" })], [text("Thanks.")]],
  choice: [
    [toolCall("ask_user", { question: "Which?", options: [{ label: "Red" }, { label: "Blue" }] })],
    [text("Thanks.")],
  ],
  empty: [[toolCall("ask_user", { question: "Why?", options: [] })], [text("Thanks.")]],
  run: [[toolCall("run_command", { command: "echo one" })], [text("Ran.")]],
  write: [[toolCall("write_to_file", { path: "a.txt", content: "A" })], [text("Written.")]],
  more: [text("And more.")],
};

const start = () => MODEL.world({ scripts: () => SCRIPTS });

/** All that the model was given last, as JSON. */
const heard = ({ model }: AgentWorld) => JSON.stringify(model.requests.at(-1)!.body.messages);

it.each(["open", "choice", "empty"])(
  "a question (%s) takes an answer in the person's own words",
  async (tag) => {
    await using world = await start();
    const session = await world.session();
    const { message } = await session.prompt(`Ask me [[${tag}]]`);
    // Not `other`: the page and the dialects show what kind it is.
    expect(await session.event("tool.start")).toMatchObject({ name: "ask_user", kind: "question" });
    const { ask, questions } = await session.event("ask.opened");
    await session.answer(ask, { answers: { [questions![0]!.id]: ["Something else"] } });
    expect((await session.turnOf(message)).text).toBe("Thanks.");
    expect(heard(world)).toContain("Something else");
  },
);

/** Prompts, and answers what the turn asks. */
async function asked(session: AgentSession, prompt: string, effect: "always" | "once"): Promise<Turn> {
  const { message } = await session.prompt(prompt);
  const { turn } = await session.event("prompt.dispatched", (event) => event.message === message);
  const { ask, options } = await session.event("ask.opened", (event) => event.turn === turn);
  await session.answer(ask, { option: options.find((option) => option.effect === effect)!.id });
  return session.turnOf(message);
}

it("what was allowed for good in one directory is asked for in a fork that works in another", async () => {
  await using world = await start();
  const session = await world.session();
  await asked(session, "Run it [[run]]", "always");
  await asked(session, "Write it [[write]]", "always");
  expect((await session.run("Run it again [[run]]")).text).toBe("Ran.");
  world.write("elsewhere/empty.txt", "");
  const { session: fork } = await world.fork(session, { cwd: join(world.project, "elsewhere") });
  expect((await asked(fork, "Run it here [[run]]", "once")).text).toBe("Ran.");
  expect((await asked(fork, "Write it here [[write]]", "once")).text).toBe("Written.");
});

describe("a session without a title", () => {
  it("is called by the first line of its first prompt, once", async () => {
    await using world = await start();
    const session = await world.session();
    await session.run("\n  Tidy\tup   the   kitchen \nand the rest [[more]]");
    expect((await session.view()).title).toBe("Tidy up the kitchen");
    await session.run("Another thing [[more]]");
    await world.stopDaemon();
    await world.startDaemon();
    await session.watch();
    await session.run("And another [[more]]");
    expect((await session.view()).title).toBe("Tidy up the kitchen");
  });

  it("gets a short one, and not by what the person looks at", async () => {
    await using world = await start();
    const session = await world.session();
    const text = `[[more]] ${"very ".repeat(20)}long`;
    const parts = [
      { type: "context", path: join(world.project, "open.ts") },
      { type: "text", text },
    ];
    const { body } = await session.call("POST", "/messages", { parts });
    await session.turnOf(body.message);
    const { title } = (await session.view()) as { title: string };
    expect(title).toMatch(/^\[\[more\]\] very very.*…$/);
    expect(title.length).toBeLessThanOrEqual(60);
  });

  it("keeps what the person calls it, before and after", async () => {
    await using world = await start();
    const named = await world.session({ title: "By hand" });
    await named.run("Tidy up [[more]]");
    expect((await named.view()).title).toBe("By hand");
    const session = await world.session();
    const { message } = await session.prompt("Tidy up [[more]]");
    await session.turnOf(message);
    await session.call("PATCH", "", { title: "Renamed" });
    await session.call("POST", "/rewind", { before: message });
    await session.run("Tidy up again [[more]]");
    expect((await session.view()).title).toBe("Renamed");
  });
});
