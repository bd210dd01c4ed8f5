/** The commands that lines to an ACP agent carried: the inverse of inbound.ts, for recordings. */
import type { Command } from "../../core/command.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { type RpcRequest, readMessage } from "../transport/json-rpc.ts";
import { parseLine } from "../transport/line-text.ts";
import type { DecodeCommands } from "../transport/translator.ts";
import { meaningOf } from "./answer-meaning.ts";
import type { AcpState } from "./conversation-state.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "./untyped.ts";
import { METHOD } from "./wire.ts";

export const decodeCommands: DecodeCommands<AcpState> = (state, { direction, data }) => {
  if (direction !== "out" || typeof data !== "string") return [];
  const line = parseLine(data);
  if (line.kind !== "message") return [];
  const message = readMessage(line.message);
  switch (message.kind) {
    case "request":
      return decodeRequest(state, message);
    case "notification":
      return message.method === METHOD.cancel ? [{ type: "interrupt" }] : [];
    case "result":
      return decodeAnswer(state.rpc.asked.get(String(message.id)), message.result);
    default:
      return [];
  }
};

function decodeRequest(state: AcpState, { method, params }: RpcRequest): Command[] {
  if (method !== METHOD.prompt) return [];
  const parts = objectsOf(params.prompt).flatMap((block) => toPart(block) ?? []);
  // We never send one while another runs; a client that did meant to steer the turn.
  return [{ type: "prompt", message: "", parts, ...(state.turn.prompts > 0 && { steer: true }) }];
}

function decodeAnswer(request: RpcRequest | undefined, result: unknown): Command[] {
  const meaning = request && meaningOf(request, result);
  if (request === undefined || meaning === undefined || meaning === "cancelled") return [];
  return [{ type: "reply", ask: String(request.id), ...meaning }];
}

function toPart(block: JsonObject): PromptPart | undefined {
  const { type, text, mimeType, data, uri, name, resource } = block;
  switch (type) {
    case "text":
      return { type: "text", text: String(text) };
    case "image":
    case "audio": {
      const mediaType = textOf(mimeType) ?? "application/octet-stream";
      return { type: "file", mediaType, url: `data:${mediaType};base64,${String(data)}` };
    }
    case "resource_link":
      return filePart(String(uri), textOf(mimeType), textOf(name));
    case "resource": {
      const embedded = objectOf(resource);
      const { path, language } = objectOf(objectOf(block._meta).interlingua);
      if (typeof path === "string") return contextPart(path, textOf(language), String(embedded.text));
      const base64 =
        typeof embedded.text === "string"
          ? Buffer.from(embedded.text).toString("base64")
          : String(embedded.blob ?? "");
      const mediaType = textOf(embedded.mimeType) ?? "text/plain";
      const filename = textOf(embedded.uri)?.split("/").at(-1);
      return filePart(`data:${mediaType};base64,${base64}`, mediaType, filename);
    }
    default:
      return undefined;
  }
}

function filePart(url: string, mediaType = "application/octet-stream", filename?: string): PromptPart {
  return { type: "file", url, mediaType, ...(filename && { filename }) };
}

function contextPart(path: string, language: string | undefined, content: string): PromptPart {
  return { type: "context", path, language, content };
}
