/** Pages of one chat with a real agent: the one a person writes in, others that join, and one that is loaded later. */
import { expect } from "vitest";
import type { UIMessage } from "../../src/dialects/ai-sdk/ui-message.ts";
import { hang, type Reply, text } from "../../src/testkit/scripted-model/index.ts";
import { NEWEST, StockChat, shapeOf } from "../chat/stock-chat.test-support.ts";
import type { AgentWorld } from "./agent-world.ts";

/** On a busy machine an agent may take many seconds. */
const DEADLINE_MS = 120_000;

export const FIRST_HALF = "So it ";
export const LAST_WORDS = `${FIRST_HALF}is done.`;

/** Last words that wait at a gate in the middle, so that somebody can come and see the rest. */
export function closing(gate: string): Reply {
  return [text(FIRST_HALF), hang(gate), text("is done.")];
}

export async function openChat(world: AgentWorld, fields: object, version = NEWEST): Promise<StockChat> {
  const { id } = await world.session(fields);
  return new StockChat(world.chatServer(), { version, id, deadlineMs: DEADLINE_MS });
}

/** Another page of a chat, as it is when it was just loaded. */
export async function loadPage(world: AgentWorld, { chat: { id } }: StockChat): Promise<StockChat> {
  const page = new StockChat(world.chatServer(), { version: NEWEST, id, deadlineMs: DEADLINE_MS });
  page.chat.messages = await page.stored();
  return page;
}

/**
 * Waits for the first half of the last words and lets a second page join there. After what `goOn` does, both have come
 * to the same end, and both have what is stored. Gives the second page.
 */
export async function watchEnd(
  world: AgentWorld,
  client: StockChat,
  goOn: () => unknown,
): Promise<StockChat> {
  const isHalfway = ({ chat, last, text: said }: StockChat) =>
    chat.status === "streaming" && last.role === "assistant" && said.endsWith(FIRST_HALF);
  const { error: former } = client.chat;
  const hasFailed = () => client.chat.error !== undefined && client.chat.error !== former;
  await client.until("the first half of its last words", () => isHalfway(client) || hasFailed());
  expect(isHalfway(client), `it has failed before: ${client.chat.error?.message}`).toBe(true);
  const page = await loadPage(world, client);
  const watching = page.chat.resumeStream();
  await page.until("the same on a second page", () => isHalfway(page));
  await goOn();
  await watching;
  await client.until("the end", () => ["ready", "error"].includes(client.chat.status));
  await client.expectStored();
  expect([page.chat.status, page.chat.error?.message]).toEqual([
    client.chat.status,
    client.chat.error?.message,
  ]);
  expect(howItEnded(page.last)).toEqual(howItEnded(client.last));
  expect(withoutDecisions(page.chat.messages)).toEqual(withoutDecisions(await page.stored()));
  return page;
}

/** Sends a prompt and sees its answer to a good end, with a second page that joins before the gate is opened. */
export async function converse(
  world: AgentWorld,
  client: StockChat,
  message: { text: string; files?: object[] },
  gate: string,
): Promise<void> {
  const sending = client.chat.sendMessage(message);
  await watchEnd(world, client, () => world.model.release(gate));
  await sending;
  expectCompleted(client);
}

export function expectCompleted(client: StockChat): void {
  expect(client.chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
  expect(client.last.metadata).toMatchObject({ outcome: "completed" });
  expect(client.text.endsWith(LAST_WORDS), client.text).toBe(true);
}

/** What was said and not taken back. */
export function keptText({ parts }: UIMessage): string {
  const discarded = parts.flatMap((part) => (part.type === "data-discarded" ? part.data.parts : []));
  return parts
    .flatMap((part) => (part.type === "text" ? part : []))
    .filter(({ providerMetadata }) => !discarded.includes(String(providerMetadata?.interlingua?.part)))
    .map(({ text: said }) => said)
    .join("");
}

/** The rest of the metadata is what was known when a page joined. */
function howItEnded({ metadata }: UIMessage): object {
  const { agentSessionId: _session, model: _model, ...rest } = metadata ?? {};
  return rest;
}

/** A page on which nobody clicked does not know what was decided before it is loaded again. */
function withoutDecisions(messages: readonly UIMessage[]): unknown {
  const shape = JSON.stringify(shapeOf(messages), (key, value) => (key === "approval" ? undefined : value));
  return JSON.parse(shape);
}
