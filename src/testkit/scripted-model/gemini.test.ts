import { afterEach, expect, it } from "vitest";
import { gemini } from "./gemini.ts";
import { httpError, type Script, text, thinking, toolCall } from "./script.ts";
import { type ScriptedModel, startScriptedModel } from "./start-scripted-model.ts";

let model: ScriptedModel | undefined;
afterEach(() => model?.close());

async function ask(script: Script, method: string, body: object = {}): Promise<Response> {
  model = await startScriptedModel({ apis: [gemini], scripts: { it: script } });
  const contents = [{ role: "user", parts: [{ text: "Go. [[it]]" }] }];
  return fetch(`${model.url}/v1beta/models/flash:${method}?alt=sse`, {
    method: "POST",
    body: JSON.stringify({ contents, ...body }),
  });
}

it("streams text and thoughts in pieces and calls as a whole", async () => {
  const script = [thinking("Hm."), text("Hel", "lo"), toolCall("run", { command: "ls" }, { id: "call_1" })];
  const response = await (await ask(script, "streamGenerateContent")).text();
  const frames = response.trim().split("\r\n\r\n");
  const parts = frames.flatMap((frame) => JSON.parse(frame.slice(6)).candidates[0].content.parts);
  expect(parts).toEqual([
    { text: "Hm.", thought: true },
    { text: "Hel" },
    { text: "lo" },
    { functionCall: { id: "call_1", name: "run", args: { command: "ls" } } },
    { text: "" },
  ]);
  expect(JSON.parse(frames.at(-1)!.slice(6))).toMatchObject({
    candidates: [{ finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7 },
    modelVersion: "flash",
  });
});

it("counts the answers since the tag, and not the results of tools", async () => {
  const contents = [
    { role: "user", parts: [{ text: "Go. [[it]]" }] },
    { role: "model", parts: [{ functionCall: { name: "run", args: {} } }] },
    { role: "user", parts: [{ functionResponse: { name: "run", response: { output: "[[other]]" } } }] },
  ];
  const response = await ask([[text("first")], [text("second")]], "generateContent", { contents });
  expect(await response.json()).toMatchObject({
    candidates: [{ content: { parts: [{ text: "second" }] } }],
  });
});

it("fills in a form that is wanted in place of text, whatever the script says", async () => {
  const responseJsonSchema = {
    type: "object",
    properties: { model: { type: "string", enum: ["flash", "pro"] }, reasons: { type: "array" } },
  };
  const generationConfig = { responseMimeType: "application/json", responseJsonSchema };
  const response = await ask([httpError(400)], "generateContent", { generationConfig });
  expect(await response.json()).toMatchObject({
    candidates: [{ content: { parts: [{ text: '{"model":"flash","reasons":[]}' }] } }],
  });
});

it("fails in its own words", async () => {
  const response = await ask([httpError(429, { message: "slower" })], "streamGenerateContent");
  expect(response.status).toBe(429);
  expect(await response.json()).toEqual({
    error: { code: 429, message: "slower", status: "RESOURCE_EXHAUSTED" },
  });
});
