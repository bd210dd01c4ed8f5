/** The answer of a prompt as a UI message stream, read by the real AI SDK. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readUIMessageStream } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UIMessageChunk as OurChunk } from "../../src/dialects/ai-sdk/chunk.ts";
import { chunkProblem, SDKS, VERSIONS } from "../../src/dialects/ai-sdk/sdk.test-support.ts";
import { Interlingua, type Prompt, type UIMessageChunk } from "../../src/sdk/index.ts";
import { DaemonProcess } from "../crash/daemon-process.ts";
import { CuttingProxy } from "./cutting-proxy.ts";

const directory = mkdtempSync(join(tmpdir(), "interlingua-sdk-"));
let daemon: DaemonProcess;
let proxy: CuttingProxy;
let client: Interlingua;

beforeAll(async () => {
  proxy = await CuttingProxy.start(() => Number(new URL(daemon.url).port));
  await startDaemon();
  client = await Interlingua.connect({ baseUrl: proxy.url, token: daemon.token });
});

afterAll(async () => {
  await client?.dispose();
  await proxy.close();
  await daemon?.kill();
  rmSync(directory, { recursive: true, force: true });
});

/** It is called by the port of the proxy. */
async function startDaemon(): Promise<void> {
  const environment = { INTERLINGUA_ALLOW_HOST: new URL(proxy.url).host };
  daemon = await DaemonProcess.start(directory, { environment });
}

async function chunksOf(prompt: Prompt, onChunk?: (count: number) => void): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = [];
  for await (const chunk of prompt.uiMessageStream()) {
    chunks.push(chunk);
    onChunk?.(chunks.length);
  }
  return chunks;
}

test.each(VERSIONS)("is read by the AI SDK: %s", async (version) => {
  const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
  const prompt = session.prompt("scenario:rich");
  const errors: unknown[] = [];
  const stream = prompt.uiMessageStream<OurChunk>();
  let last: { role: string; parts: { type: string; text?: string }[] } | undefined;
  for await (const message of SDKS[version].readUIMessageStream({ stream, onError: (e) => errors.push(e) }))
    last = message;
  expect(errors).toEqual([]);
  const texts = last!.parts.flatMap(({ type, text }) => (type === "text" ? [text] : []));
  expect(texts.join("\n\n")).toBe(await prompt.text());
  for (const chunk of await chunksOf(prompt))
    expect(await chunkProblem(version, chunk as OurChunk)).toBeUndefined();
});

test("needs no types of ours where those of the AI SDK are wanted", async () => {
  const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
  let text = "";
  for await (const { parts } of readUIMessageStream({
    stream: session.prompt("scenario:text").uiMessageStream(),
  }))
    text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  expect(text).toBe("Hello from the mock agent. This is a short, plain answer.");
});

test("has each chunk once when sockets are cut again and again", async () => {
  const session = await client.sessions.create({ agent: "mock", options: { pace: 1 } });
  const prompt = session.prompt("scenario:burst:2000");
  let cuts = 0;
  const chunks = await chunksOf(prompt, (count) => {
    if (count % 300 !== 0) return;
    proxy.cut();
    cuts += 1;
  });
  expect(cuts).toBeGreaterThan(3);
  expect(chunks).toEqual(await chunksOf(prompt));
  expect([chunks[0]?.type, chunks.at(-1)?.type]).toEqual(["start", "finish"]);
});

test("shows nothing of a daemon that stopped in the middle but the end of the turn", async () => {
  const session = await client.sessions.create({ agent: "mock", options: { pace: 2 } });
  const prompt = session.prompt("scenario:rich");
  let restarting: Promise<void> | undefined;
  const chunks = await chunksOf(prompt, (count) => {
    if (count === 10) restarting = daemon.kill("SIGTERM").then(startDaemon);
  });
  await restarting;
  expect(restarting).toBeDefined();
  expect(chunks).toEqual(await chunksOf(prompt));
  expect(JSON.stringify(chunks)).not.toContain("The stream was cut off");
  expect(chunks.at(-1)?.type).toBe("finish");
});

test("stays open over an ask, and tells why a turn failed", async () => {
  const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
  const types: string[] = [];
  for await (const { type } of session.prompt("scenario:approve").uiMessageStream()) {
    types.push(type);
    if (type !== "tool-approval-request") continue;
    const [ask] = await session.asks();
    await session.reply(ask!.ask, { reply: "once" });
  }
  expect(types.filter((type) => type === "finish")).toHaveLength(1);
  expect(types).toContain("tool-output-available");
  const failed = await chunksOf(session.prompt("scenario:crash"));
  expect(failed.filter(({ type }) => type === "error")).toHaveLength(1);
  expect(failed.at(-1)?.type).toBe("finish");
});

test("is left by cancelling it and by its signal, and rejects when the prompt was refused", async () => {
  const session = await client.sessions.create({ agent: "mock" });
  const leaving = new AbortController();
  const prompt = session.prompt("scenario:hang", { signal: leaving.signal });
  const [one, two] = [prompt.uiMessageStream().getReader(), prompt.uiMessageStream().getReader()];
  expect((await one.read()).value?.type).toBe("start");
  expect((await two.read()).value?.type).toBe("start");
  // The scenario says something and then nothing more.
  const endOf = async (reader: typeof one) => {
    while (!(await reader.read()).done);
  };
  const ends = [endOf(one), endOf(two).catch((error) => error.name)];
  await one.cancel();
  leaving.abort();
  expect(await Promise.all(ends)).toEqual([undefined, "AbortError"]);
  await session.interrupt();
  await session.close();
  const refused = session.prompt("scenario:text").uiMessageStream().getReader();
  await expect(refused.read()).rejects.toMatchObject({ code: "session_closed" });
});
