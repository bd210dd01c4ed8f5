/**
 * What a stock client posts → what it wants. The server owns the history, so of all that is posted only the message
 * that is new or answered is read, and of an answered message only the answers: the rest is the client's copy.
 */
import { InterlinguaError } from "../../core/error.ts";
import { messageIdSchema } from "../../core/identifier.ts";
import { type PromptPart, promptPartSchema } from "../../core/prompt-part.ts";
import { type GivenAnswer, givenAnswers, shownAsks } from "./inbound/answers.ts";

interface PostedMessage {
  id?: string;
  role: string;
  parts: readonly { type: string; [field: string]: unknown }[];
}

export interface ChatPost {
  messages?: readonly PostedMessage[];
  message?: string | PostedMessage;
  trigger: "submit-message" | "regenerate-message";
  messageId?: string | null;
}

export type ChatIntent =
  | { type: "prompt"; id?: string; parts: PromptPart[] }
  /** A message of the history has new content; everything after it is dropped. */
  | { type: "edit"; id: string; parts: PromptPart[] }
  /** Another answer to this message, or in place of that answer, or else to the last prompt there is. */
  | { type: "regenerate"; prompt?: { id: string; parts: PromptPart[] }; answer?: string }
  | { type: "answer"; answers: GivenAnswer[]; shown: ReadonlySet<string> };

/** Throws `invalid_request` for a request that makes no sense. */
export function chatIntent(post: ChatPost): ChatIntent {
  if (typeof post.message === "string")
    return { type: "prompt", parts: [{ type: "text", text: post.message }] };
  const posted = postedMessage(post);
  if (post.trigger === "regenerate-message") {
    if (posted.role === "system")
      throw new InterlinguaError(
        "unsupported",
        "The agent said this by itself; only the answer to a prompt can be made again.",
      );
    const answer = post.messageId ?? (posted.role === "assistant" ? posted.id : undefined);
    const prompt =
      posted.role === "user" ? { id: requireMessageId(posted), parts: promptPartsOf(posted) } : undefined;
    return { type: "regenerate", prompt, answer };
  }
  if (posted.role === "user") {
    const parts = promptPartsOf(posted);
    const id = requireMessageId(posted);
    return { type: post.messageId === id ? "edit" : "prompt", id, parts };
  }
  if (posted.role !== "assistant")
    throw invalid("The last message must be the user's, or an answered one of the assistant.");
  const answers = givenAnswers(posted.parts);
  if (answers.length === 0)
    throw invalid("There is nothing to send: write a message, or answer what is asked.");
  return { type: "answer", answers, shown: shownAsks(posted.parts) };
}

/** Newer clients may answer a message that is not the last one, and name it. */
function postedMessage({ message, messages = [], messageId }: ChatPost): PostedMessage {
  if (typeof message === "object") return message;
  const posted = messages.findLast(({ id }) => id === messageId) ?? messages.at(-1);
  if (posted) return posted;
  throw invalid("There is no message in this request.");
}

function promptPartsOf({ parts }: PostedMessage): PromptPart[] {
  const said = parts.filter(({ type }) => type === "text" || type === "file");
  const parsed = said.map((part) => {
    const result = promptPartSchema.safeParse(part);
    if (result.success) return result.data;
    throw invalid("A part of the message is not complete: a text needs text, a file url and mediaType.");
  });
  const hasContent = parsed.some((part) => part.type !== "text" || part.text !== "");
  if (!hasContent) throw invalid("The message says nothing.");
  return parsed;
}

function requireMessageId({ id }: PostedMessage): string {
  const result = messageIdSchema.safeParse(id);
  if (result.success) return result.data;
  throw invalid("The id of a message has 1 to 128 letters, digits, dots, colons, underscores or hyphens.");
}

function invalid(detail: string): InterlinguaError {
  return new InterlinguaError("invalid_request", detail);
}
