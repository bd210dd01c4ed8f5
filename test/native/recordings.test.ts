/** Every recording as a program has it that runs the agent itself: with what it sent, and with the agent's messages alone. */
import { describe, expect, it } from "vitest";
import { PROTOCOLS } from "../../src/agents/registry.ts";
import { readRecording } from "../../src/agents/replay/recording-reader.ts";
import { createMessageAccumulator } from "../../src/dialects/ai-sdk/library.ts";
import { type NativeAgent, type NativeMessage, nativeAdapter, sent } from "../../src/native/index.ts";
import { readRecordingText, recordingsOf, replay } from "../recordings/support.ts";
import { chunksOf, expectReadable, expectValidMessages, textOf } from "./native-responses.ts";

const AGENTS: readonly NativeAgent[] = ["claude", "codex", "opencode", "amp", "acp"];

/** Where a process was started again, or others talk in the same one, the messages do not tell; a response takes nothing back. */
const TOLD_OTHERWISE = /crash|restart|kill9|load|concurrent|resume|fork|revert/;

/** What an agent said of itself before the first prompt looks like an answer to one that was not shown. */
const SAID_BEFORE = /^pi-/;

describe.each(AGENTS)("%s", (agent) => {
  const adapter = nativeAdapter(agent);
  const all = recordingsOf(agent);
  const names = process.env.RECORDINGS === "all" ? all : all.filter((_, place) => place % 3 === 0);

  it.each(names)("%s, with what was sent", async (name) => {
    const text = readRecordingText(agent, name);
    const messages = await adapted(name, messagesOf(agent, text, true));
    if (!TOLD_OTHERWISE.test(name)) expect(textOf(messages)).toBe(textOf(replayed(agent, text)));
  });

  it.each(names)("%s, with what the agent said alone", async (name) => {
    const text = readRecordingText(agent, name);
    const messages = await adapted(name, messagesOf(agent, text, false));
    if (TOLD_OTHERWISE.test(name) || SAID_BEFORE.test(name)) return;
    expect(textOf(messages)).toBe(textOf(replayed(agent, text)));
  });

  /** As a response and as stored messages, which say the same. */
  async function adapted(name: string, given: readonly NativeMessage[]) {
    const chunks = await chunksOf(adapter.adaptStream(given));
    const message = await expectReadable(chunks);
    const accumulator = adapter.createMessageAccumulator();
    for (const each of given) accumulator.process(each);
    const messages = accumulator.getMessages();
    await expectValidMessages(messages);
    const hasFailed = chunks.some(({ type }) => type === "error");
    if (message && !hasFailed && !TOLD_OTHERWISE.test(name)) expect(textOf([message])).toBe(textOf(messages));
    return messages;
  }
});

function messagesOf(agent: NativeAgent, text: string, withSent: boolean): NativeMessage[] {
  return [...readRecording(text)].flatMap(({ direction, data }): NativeMessage[] => {
    if (typeof data !== "string") return [];
    if (withSent) return [direction === "out" ? sent(data) : data];
    return direction === "out" ? [] : alone(agent, data);
  });
}

/** Who only listens to OpenCode's bus has its events without an envelope. */
function alone(agent: NativeAgent, line: string): NativeMessage[] {
  if (agent !== "opencode") return [line];
  const { kind, msg } = JSON.parse(line);
  if (kind === undefined) return [line];
  return kind === "sse" && typeof msg === "object" ? [msg] : [];
}

function replayed(agent: NativeAgent, text: string) {
  const accumulator = createMessageAccumulator();
  for (const event of replay(PROTOCOLS.get(agent)!, text)) accumulator.process(event);
  return accumulator.getMessages();
}
