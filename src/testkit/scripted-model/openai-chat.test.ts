import { afterEach, expect, it } from "vitest";
import { openAiChat } from "./openai-chat.ts";
import { httpError, type Script, streamError, text, thinking, toolCall } from "./script.ts";
import { type ScriptedModel, startScriptedModel } from "./start-scripted-model.ts";

let model: ScriptedModel | undefined;
afterEach(() => model?.close());

async function ask(script: Script, body: object = {}): Promise<Response> {
  model = await startScriptedModel({ apis: [openAiChat], scripts: { it: script } });
  const messages = [
    { role: "system", content: "You are tested." },
    { role: "user", content: [{ type: "text", text: "Go. [[it]]" }] },
  ];
  return fetch(`${model.url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages, ...body }),
  });
}

async function chunks(
  response: Response,
): Promise<{ choices: { delta: object; finish_reason: unknown }[] }[]> {
  const frames = (await response.text()).trim().split("\n\n");
  expect(frames.at(-1)).toBe("data: [DONE]");
  return frames.slice(0, -1).map((frame) => JSON.parse(frame.slice("data: ".length)));
}

async function wholeReply(response: Response): Promise<{ choices: { message: { content: string } }[] }> {
  return (await response.json()) as Awaited<ReturnType<typeof wholeReply>>;
}

it("streams text, thoughts and calls in pieces", async () => {
  const script = [thinking("Hm."), text("Hel", "lo"), toolCall("run", { command: "ls" }, { id: "call_1" })];
  const all = await chunks(await ask(script, { stream: true }));
  const deltas = all.flatMap(({ choices }) => choices.map(({ delta }) => delta));
  expect(deltas).toEqual([
    { role: "assistant", content: "" },
    { reasoning_content: "Hm." },
    { content: "Hel" },
    { content: "lo" },
    { tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "run", arguments: "" } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"command":"ls"}' } }] },
    {},
  ]);
  expect(all.at(-2)!.choices[0]!.finish_reason).toBe("tool_calls");
  expect(all.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } });
});

it("says the same in one body", async () => {
  const reply = await wholeReply(await ask([text("Hel", "lo"), toolCall("run", {}, { id: "call_1" })]));
  expect(reply.choices).toEqual([
    {
      index: 0,
      message: {
        role: "assistant",
        content: "Hello",
        tool_calls: [{ id: "call_1", type: "function", function: { name: "run", arguments: "{}" } }],
      },
      finish_reason: "tool_calls",
    },
  ]);
});

it("counts the answers since the tag, and not the results of tools", async () => {
  const messages = [
    { role: "user", content: "Go. [[it]]" },
    { role: "assistant", content: null, tool_calls: [] },
    { role: "tool", tool_call_id: "call_1", content: "[[other]]" },
  ];
  const reply = await wholeReply(await ask([[text("first")], [text("second")]], { messages }));
  expect(reply.choices[0]!.message.content).toBe("second");
});

it("fails before the reply and in the middle of it", async () => {
  const response = await ask([httpError(429)]);
  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({ error: { type: "rate_limit_exceeded" } });
  await model!.close();
  const broken = await (await ask([text("half"), streamError()], { stream: true })).text();
  expect(broken.trim().split("\n\n").at(-1)).toContain("scripted overload");
});
