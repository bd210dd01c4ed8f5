/** The client in AgentSmithy's document, word for word, with handlers that note what they were called with. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SmithyClient, SmithyJson } from "./smithy-client.ts";

const SKELETON = readFileSync(join(import.meta.dirname, "../fixtures/agentsmithy/skeleton.js"), "utf8");
const HANDLERS = [
  "handleChatStart",
  "handleChat",
  "handleChatEnd",
  "handleReasoningStart",
  "handleReasoning",
  "handleReasoningEnd",
  "handleToolCall",
  "handleUserMessage",
  "handleFileEdit",
  "handleError",
  "handleDone",
];

/** What the skeleton called. */
export interface Handled {
  name: string;
  data?: SmithyJson;
}

/** Posts the message with the document's client. Gives its calls in their order. */
export async function askSkeleton(
  client: Pick<SmithyClient, "fetch">,
  content: string,
  more: object = {},
): Promise<Handled[]> {
  const handled: Handled[] = [];
  const handlers = HANDLERS.map((name) => (data?: SmithyJson) => handled.push({ name, data }));
  const define = new Function("fetch", ...HANDLERS, `${SKELETON}\nreturn streamChat;`);
  const streamChat: (body: unknown) => Promise<void> = define(client.fetch, ...handlers);
  await streamChat({ messages: [{ role: "user", content }], stream: true, ...more });
  return handled;
}
