/** A prompt → the request that carries it. */
import type { CommandOf } from "../../../core/command.ts";
import { InterlinguaError } from "../../../core/error.ts";
import { type PromptPart, promptText } from "../../../core/prompt-part.ts";
import { type SentPart, withContextAsText } from "../../transport/context-text.ts";
import type { OpenCodeState } from "../conversation-state.ts";
import type { OpenCodeOptions } from "../options.ts";
import { COMPACT } from "../outbound/response.ts";
import { MESSAGE_KEY } from "../wire.ts";
import type { Request } from "./lines.ts";

export function promptRequest(
  state: OpenCodeState,
  session: string,
  { message, parts: given, steer }: CommandOf<"prompt">,
  { variant }: OpenCodeOptions,
): Request {
  const parts = withContextAsText(given);
  const known = { method: "POST" as const, message, steer: steer ?? false };
  const { model, agent } = state.choice;
  const command = steer ? undefined : slashCommand(state, parts);
  if (command?.name === COMPACT.name) {
    return { ...known, path: `/session/${session}/summarize`, body: modelName(model) };
  }
  const settings = { agent, variant };
  if (command) {
    const files = parts.filter((part) => part.type === "file").map(toPart);
    const body = { command: command.name, arguments: command.words, model, ...settings, parts: files };
    return { ...known, path: `/session/${session}/command`, body };
  }
  const body = { model: modelName(model), ...settings, parts: marked(parts.map(toPart), message) };
  return { ...known, path: `/session/${session}/prompt_async`, body };
}

/** `provider/model`; the model may have slashes of its own. */
function modelName(model: string | undefined) {
  const [providerID, ...rest] = (model ?? "").split("/");
  if (!providerID || rest.length === 0) {
    throw new InterlinguaError(
      "unsupported",
      "OpenCode needs a model like provider/model; set the session's model.",
    );
  }
  return { providerID, modelID: rest.join("/") };
}

/** The commands it knows; what else begins with a slash is text. */
function slashCommand({ catalog }: OpenCodeState, parts: readonly SentPart[]) {
  const [, name, words = ""] = /^\/([\w:-]+)(?:\s+([\s\S]*))?$/.exec(promptText(parts).trim()) ?? [];
  if (name === undefined || !catalog.commands?.some((command) => command.name === name)) return undefined;
  return { name, words };
}

/** The parts of a prompt on its own. */
export function promptParts(parts: readonly PromptPart[]): WirePartInput[] {
  return withContextAsText(parts).map(toPart);
}

type WirePartInput =
  | { readonly type: "text"; readonly text: string; readonly metadata?: Readonly<Record<string, string>> }
  | { readonly type: "file"; readonly url: string; readonly mime: string; readonly filename?: string };

function toPart(part: SentPart): WirePartInput {
  if (part.type === "text") return { type: "text", text: part.text };
  const { url, mediaType, filename } = part;
  return { type: "file", url, mime: mediaType, filename };
}

/** The server keeps our id with the message: it can be gone back to, also by a later process. */
function marked(parts: readonly WirePartInput[], message: string): readonly WirePartInput[] {
  const place = parts.findIndex((part) => part.type === "text");
  return parts.map((part, index) =>
    part.type === "text" && index === place ? { ...part, metadata: { [MESSAGE_KEY]: message } } : part,
  );
}
