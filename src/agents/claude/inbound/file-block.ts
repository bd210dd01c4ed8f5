/** A file of a prompt as a content block of the model's API, which Claude Code passes on as it is. */
import { InterlinguaError } from "../../../core/error.ts";
import type { PromptPart } from "../../../core/prompt-part.ts";

type FilePart = Extract<PromptPart, { type: "file" }>;

const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const PDF = "application/pdf";
const TEXTS = /^(text\/|application\/(json|xml|yaml|x-yaml|toml|javascript|typescript|x-sh))/;

const DATA_URL = /^data:[^,]*?(;base64)?,/;

export function fileBlock(part: FilePart): object {
  const { url, mediaType, filename } = part;
  const title = filename === undefined ? {} : { title: filename };
  if (/^https?:/.test(url)) {
    if (IMAGES.includes(mediaType)) return { type: "image", source: { type: "url", url } };
    if (mediaType === PDF) return { type: "document", source: { type: "url", url }, ...title };
    throw unsupported(part, "Only pictures and PDF files can be given by their address.");
  }
  const head = DATA_URL.exec(url);
  if (!head) throw unsupported(part, "Give it as a data, file or http address.");
  const bytes = bytesOf(url.slice(head[0].length), head[1] !== undefined);
  const encoded = { type: "base64", media_type: mediaType };
  if (IMAGES.includes(mediaType)) {
    return { type: "image", source: { ...encoded, data: bytes.toString("base64") } };
  }
  if (mediaType === PDF) {
    return { type: "document", source: { ...encoded, data: bytes.toString("base64") }, ...title };
  }
  if (TEXTS.test(mediaType)) {
    const data = bytes.toString("utf8");
    return { type: "document", source: { type: "text", media_type: "text/plain", data }, ...title };
  }
  throw unsupported(part, `It takes texts, PDF files and pictures (${IMAGES.join(", ")}).`);
}

function bytesOf(data: string, isBase64: boolean): Buffer {
  return isBase64 ? Buffer.from(data, "base64") : Buffer.from(decodeURIComponent(data), "utf8");
}

function unsupported({ filename = "a file", mediaType }: FilePart, remedy: string): InterlinguaError {
  return new InterlinguaError("unsupported", `Claude Code cannot take ${filename} (${mediaType}). ${remedy}`);
}
