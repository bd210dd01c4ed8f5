/** What stands in a conversation for content that a provider would not take. */
import type { ModelMessage, ToolModelMessage, UserModelMessage } from "ai";

/** Of a prompt that is refused with files, or for its length. */
const MAX_KEPT_LENGTH = 4000;

const LEFT_OUT = "[A message of the user is left out: the model's provider refused it.]";
const RESULT_LEFT_OUT =
  "The result is left out: the model's provider refused it. Read it in pages with get_tool_result.";

/** The message in a form that can be sent. What the model itself said was never refused. */
export function leaveOutContent(message: ModelMessage): ModelMessage {
  if (message.role === "user") return shorterPrompt(message);
  return message.role === "tool" ? withoutResults(message) : message;
}

export function leaveOutFiles(message: ModelMessage): ModelMessage {
  if (message.role !== "user" || !hasFiles(message)) return message;
  return { ...message, content: contentOf(message).map((part) => (isFile(part) ? noteOf(part) : part)) };
}

type Content = Exclude<UserModelMessage["content"], string>;
type Part = Content[number];

/** Its text stays where files or its length may be the reason. */
function shorterPrompt(message: UserModelMessage): UserModelMessage {
  const content = contentOf(message);
  const text = content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
  if (!hasFiles(message) && text.length <= MAX_KEPT_LENGTH)
    return { ...message, content: [{ type: "text", text: LEFT_OUT }] };
  const cut =
    text.length <= MAX_KEPT_LENGTH
      ? text
      : `${text.slice(0, MAX_KEPT_LENGTH)}\n[The rest of this message is left out: the model's provider refused it.]`;
  return { ...message, content: [...content.filter(isFile).map(noteOf), { type: "text", text: cut }] };
}

function withoutResults(message: ToolModelMessage): ToolModelMessage {
  return {
    ...message,
    content: message.content.map((part) =>
      part.type === "tool-result"
        ? { ...part, output: { type: "error-text" as const, value: RESULT_LEFT_OUT } }
        : part,
    ),
  };
}

function contentOf({ content }: UserModelMessage): Content {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function hasFiles(message: UserModelMessage): boolean {
  return contentOf(message).some(isFile);
}

function isFile(part: Part): boolean {
  return part.type === "file" || part.type === "image";
}

function noteOf(part: Part): Extract<Part, { type: "text" }> {
  const name = part.type === "file" ? (part.filename ?? part.mediaType) : "an image";
  return { type: "text", text: `[A file is left out: the model's provider refused it (${name}).]` };
}
