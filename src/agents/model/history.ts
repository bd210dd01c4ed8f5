/**
 * The conversation so far, as a file for the agent's program: the newest messages that fit. It goes over a file and not
 * over the pipe, since all that goes over the pipe is kept as a record, again at each start.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContentPart, Message } from "../../core/message.ts";

/** Of JSON without the content of files. More would not fit into any model. */
const MAX_HISTORY_BYTES = 8 * 1024 * 1024;
/** Of the content of files. About what providers take in one request. */
const MAX_FILES_BYTES = 24 * 1024 * 1024;

/** A message as far as the program reads it. */
export interface PastMessage {
  readonly id: string;
  readonly role: Message["role"];
  readonly content: readonly ContentPart[];
  readonly outcome?: string;
  /** The code of what went wrong. */
  readonly error?: string;
}

export interface PastConversation {
  /** Oldest first. */
  readonly messages: readonly PastMessage[];
  /** Older ones were left out. */
  readonly isCut: boolean;
}

/** Gives the path, or undefined if nothing was said. `newestFirst` is read no further than needed. */
export async function writeHistory(
  directory: string,
  newestFirst: AsyncIterable<Message> | undefined,
): Promise<string | undefined> {
  const conversation = newestFirst && (await collect(newestFirst));
  if (!conversation || conversation.messages.length === 0) return undefined;
  const path = join(directory, "history.json");
  writeFileSync(path, JSON.stringify(conversation), { mode: 0o600, flag: "wx" });
  return path;
}

async function collect(newestFirst: AsyncIterable<Message>): Promise<PastConversation> {
  const messages: PastMessage[] = [];
  const files = new NewestFiles();
  let bytes = 0;
  for await (const { id, role, content, metadata } of newestFirst) {
    const { outcome, error } = metadata;
    const before = files.bytes;
    const useful = content.filter((part) => isUseful(role, part)).map((part) => files.take(part));
    const message = { id, role, content: useful, outcome, error: error?.code };
    bytes += Buffer.byteLength(JSON.stringify(message)) - (files.bytes - before);
    if (bytes > MAX_HISTORY_BYTES && messages.length > 0)
      return { messages: messages.reverse(), isCut: true };
    messages.push(message);
  }
  return { messages: messages.reverse(), isCut: false };
}

/** A few pictures are as long as thousands of messages, and must not take their place. */
class NewestFiles {
  bytes = 0;

  /** The file, or what stands for one that has no room. */
  take(part: ContentPart): ContentPart {
    if (part.type !== "file") return part;
    const size = Buffer.byteLength(part.url);
    if (this.bytes + size > MAX_FILES_BYTES) return leftOut(part);
    this.bytes += size;
    return part;
  }
}

function leftOut({ filename, mediaType }: Extract<ContentPart, { type: "file" }>): ContentPart {
  return {
    type: "text",
    text: `[The file ${filename ?? mediaType} is left out: there are too many after it.]`,
  };
}

/** Thoughts are only worth something with the signature of the model that had them. */
function isUseful(role: Message["role"], { type, parent }: ContentPart): boolean {
  if (parent !== undefined || (type === "file" && role === "assistant")) return false;
  return type !== "reasoning" && type !== "notice" && type !== "file_edit";
}
