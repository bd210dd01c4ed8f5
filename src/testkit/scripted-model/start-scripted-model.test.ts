import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, type Message, stream, textOf, whole } from "./anthropic-client.test-support.ts";
import { chooseByTag } from "./choose-script.ts";
import {
  inPieces,
  redactedThinking,
  slow,
  stop,
  text,
  thinking,
  toolCall,
  unparsableToolCall,
  usage,
} from "./script.ts";
import { type ScriptedModel, startScriptedModel } from "./start-scripted-model.ts";

const POEM = "Rain on the roof, and the kettle sings.";

let model: ScriptedModel;

beforeEach(async () => {
  model = await startScriptedModel({
    scripts: {
      hello: [text("Hel", "lo")],
      rich: [
        redactedThinking("b3BhcXVl"),
        thinking("Let me ", "see."),
        text("Two calls:"),
        toolCall("Write", { file_path: "a.txt", content: POEM }, { id: "toolu_one" }),
        unparsableToolCall("Bash", '{"command": "ls'),
        usage({ input: 100, output: 20, cacheRead: 60, cacheWrite: 30 }),
      ],
      edit: [[toolCall("Write", {})], [text("Done.")]],
      cut: [text("too long"), stop("max-tokens")],
      refused: [text("No."), stop("refusal")],
      slow: [slow(1), text(...inPieces(POEM, 5))],
      count: ({ attempt, argument }) => [text(`${argument} ${attempt}`)],
    },
  });
});

afterEach(() => model.close());

describe("a reply", () => {
  it("is streamed piece by piece", async () => {
    const frames = await stream(model, "[[hello]]");
    expect(frames.map(({ type }) => type)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(frames[0]?.message).toMatchObject({ model: "claude-x", usage: { input_tokens: 11 } });
    expect(textOf(frames)).toBe("Hello");
    expect(frames[5]).toMatchObject({ delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } });
  });

  it("has thinking with its signature, several calls and broken input", async () => {
    const frames = await stream(model, "[[rich]]");
    expect(frames.flatMap(({ content_block }) => content_block ?? [])).toEqual([
      { type: "redacted_thinking", data: "b3BhcXVl" },
      { type: "thinking", thinking: "", signature: "" },
      { type: "text", text: "" },
      { type: "tool_use", id: "toolu_one", name: "Write", input: {} },
      { type: "tool_use", id: expect.stringMatching(/^toolu_\d+$/), name: "Bash", input: {} },
    ]);
    const inputs = [3, 4].map((block) =>
      frames
        .filter(({ index, delta }) => index === block && delta)
        .map(({ delta }) => delta?.partial_json)
        .join(""),
    );
    expect(inputs).toEqual([JSON.stringify({ file_path: "a.txt", content: POEM }), '{"command": "ls']);
    const signature = frames.filter(({ delta }) => delta?.type === "signature_delta");
    expect(signature).toMatchObject([{ index: 1, delta: { signature: "c2lnbmF0dXJl" } }]);
    expect(frames[0]?.message?.usage).toMatchObject({
      input_tokens: 10,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 30,
    });
    expect(frames.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 20 } });
  });

  it("comes in one body for clients that do not stream", async () => {
    expect(await whole(model, "[[rich]]")).toMatchObject({
      role: "assistant",
      stop_reason: "tool_use",
      usage: { input_tokens: 10, output_tokens: 20 },
      content: [
        { type: "redacted_thinking" },
        { type: "thinking", thinking: "Let me see.", signature: "c2lnbmF0dXJl" },
        { type: "text", text: "Two calls:" },
        { type: "tool_use", id: "toolu_one", name: "Write", input: { content: POEM } },
        { type: "tool_use", name: "Bash", input: '{"command": "ls' },
      ],
    });
  });

  it.each([
    ["cut", "max_tokens"],
    ["refused", "refusal"],
  ])("%s stops with %s", async (tag, reason) => {
    expect((await stream(model, `[[${tag}]]`)).at(-2)?.delta?.stop_reason).toBe(reason);
  });

  it("can be slow and is complete all the same", async () => {
    expect(textOf(await stream(model, "[[slow]]"))).toBe(POEM);
  });
});

describe("choosing", () => {
  const call = { role: "assistant", content: [{ type: "tool_use", id: "t", name: "Write", input: {} }] };
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "[[hello]]" }] };

  it("counts the answers since the tag; the last reply stays", async () => {
    const types = async (after: Message[]) =>
      (await stream(model, "[[edit]]", after)).flatMap(({ content_block }) => content_block?.type ?? []);
    expect(await types([])).toEqual(["tool_use"]);
    expect(await types([call, result])).toEqual(["text"]);
    expect(await types([call, result, call, result])).toEqual(["text"]);
    expect(model.requests.map(({ step }) => step)).toEqual([0, 1, 2]);
  });

  it("takes the newest tag, also in an array of content and with system messages behind it", async () => {
    const content = [
      { type: "text", text: "[[hello]] no, [[count:see]]" },
      { type: "text", text: "<reminder>" },
    ];
    const after = [{ role: "system", content: "Today is a day." }];
    expect(textOf(await stream(model, content, after))).toBe("see 1");
    expect(textOf(await stream(model, content, after))).toBe("see 2");
    expect(model.requests.map(({ script, attempt }) => [script, attempt])).toEqual([
      ["count", 1],
      ["count", 2],
    ]);
  });

  it("gives the fallback where there is no tag, and says which scripts there are when the tag is wrong", async () => {
    expect(textOf(await stream(model, "A title, please."))).toBe("ok");
    const response = await ask(model, "[[helo]]");
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('There is no script \\"helo\\"; there are hello, rich');
  });

  it("can be done by a function", async () => {
    const chosen = await startScriptedModel({
      scripts: { summary: [text("In short: rain.")] },
      choose: (request) =>
        request.headers["x-aside"] ? { script: "summary", step: 0 } : chooseByTag(request),
    });
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "?" }] });
    const response = await fetch(`${chosen.url}/v1/messages`, {
      method: "POST",
      headers: { "x-aside": "1" },
      body,
    });
    expect(await response.text()).toContain("In short: rain.");
    await chosen.close();
  });
});

it("answers what clients ask besides, and notes what it does not know", async () => {
  expect((await fetch(model.url, { method: "HEAD" })).status).toBe(200);
  const counted = await fetch(`${model.url}/v1/messages/count_tokens`, { method: "POST", body: "{}" });
  expect(await counted.json()).toEqual({ input_tokens: 1 });
  expect((await fetch(`${model.url}/v1/models`)).status).toBe(200);
  expect((await fetch(`${model.url}/v1/nothing`)).status).toBe(404);
  expect(model.strays).toEqual(["GET /v1/nothing"]);
  expect(model.requests).toEqual([]);
});

it("keeps the headers and the body of each request", async () => {
  await (await ask(model, "[[hello]]")).text();
  expect(model.requests[0]).toMatchObject({
    api: "anthropic-messages",
    headers: { "x-api-key": "key" },
    body: { stream: true, messages: [{ content: "[[hello]]" }] },
    script: "hello",
    outcome: "answered",
  });
});
