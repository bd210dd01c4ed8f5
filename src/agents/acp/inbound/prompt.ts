/** The parts of a prompt → content blocks the agent says it takes. */
import { pathToFileURL } from "node:url";
import { InterlinguaError } from "../../../core/error.ts";
import type { ContextPart, PromptPart } from "../../../core/prompt-part.ts";
import { contextText } from "../../transport/context-text.ts";
import type { AcpState } from "../conversation-state.ts";
import { objectOf } from "../untyped.ts";
import type { PromptBlock } from "../wire.ts";

type FilePart = Extract<PromptPart, { type: "file" }>;

const DATA_URL = /^data:[^,]*?(;base64)?,/;
const TEXT_TYPE = /^text\/|[/+](json|xml|yaml|toml|javascript|typescript)$/;

/** Throws `unsupported` for a file the agent has no place for. */
export function promptBlocks(state: AcpState, parts: readonly PromptPart[]): PromptBlock[] {
  const accepts = objectOf(state.agent?.capabilities.promptCapabilities);
  return parts.map((part) => {
    if (part.type === "text") return { type: "text", text: part.text };
    return part.type === "context" ? contextBlock(part, accepts) : fileBlock(part, accepts);
  });
}

/** A resource is a whole file: there is no place in it for what is selected. */
function contextBlock(part: ContextPart, accepts: Readonly<Record<string, unknown>>): PromptBlock {
  const { path, language, content, selection } = part;
  if (content === undefined || selection !== undefined || accepts.embeddedContext !== true) {
    return { type: "text", text: contextText(part) };
  }
  const resource = { uri: pathToFileURL(path).href, mimeType: "text/plain", text: content };
  return { type: "resource", resource, _meta: { interlingua: { path, language } } };
}

function fileBlock(part: FilePart, accepts: Readonly<Record<string, unknown>>): PromptBlock {
  const { url, mediaType, filename } = part;
  const data = DATA_URL.exec(url);
  const name = filename ?? (data ? "file" : (url.split("/").at(-1) ?? url));
  if (!data) return { type: "resource_link", uri: url, name, mimeType: mediaType };
  const bytes = data[1] ? undefined : decodeURIComponent(url.slice(data[0].length));
  const base64 = bytes === undefined ? url.slice(data[0].length) : Buffer.from(bytes).toString("base64");
  for (const kind of ["image", "audio"] as const) {
    if (!mediaType.startsWith(`${kind}/`)) continue;
    if (accepts[kind] !== true) throw refused(part, `takes no ${kind}`);
    return { type: kind, mimeType: mediaType, data: base64 };
  }
  const uri = `attachment:///${encodeURIComponent(name)}`;
  if (TEXT_TYPE.test(mediaType)) {
    const text = bytes ?? Buffer.from(base64, "base64").toString("utf8");
    if (accepts.embeddedContext === true) {
      return { type: "resource", resource: { uri, mimeType: mediaType, text } };
    }
    // A name that comes first could be a slash command.
    return { type: "text", text: `File: ${name}\n${text}` };
  }
  if (accepts.embeddedContext !== true) throw refused(part, "takes no files");
  return { type: "resource", resource: { uri, mimeType: mediaType, blob: base64 } };
}

function refused({ filename, mediaType }: FilePart, why: string): InterlinguaError {
  return new InterlinguaError("unsupported", `The agent ${why}, so ${filename ?? mediaType} was not sent.`);
}
