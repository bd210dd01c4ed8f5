/** A prompt as the message a model gets: its text, its pictures, and files of text as text. */
import { isUtf8 } from "node:buffer";
import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { UserModelMessage } from "ai";
import { readRegularFileSync } from "../../../files/regular-file.ts";
import type { WireFile } from "../wire.ts";

/** About what providers take in one request. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** What models take as a file. */
const SENT_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]);

type Content = Exclude<UserModelMessage["content"], string>;

export interface PromptMessage {
  readonly message: UserModelMessage;
  /** Sentences about files that are not sent. */
  readonly notSent: readonly string[];
}

export function promptMessage(text: string, files: readonly WireFile[]): PromptMessage {
  const content: Content = [];
  const notSent: string[] = [];
  for (const file of files) {
    const part = filePart(file);
    if ("notSent" in part) notSent.push(part.notSent);
    content.push("notSent" in part ? { type: "text", text: `[${part.notSent}]` } : part);
  }
  if (text !== "" || content.length === 0) content.push({ type: "text", text });
  return { message: { role: "user", content }, notSent };
}

function filePart({ url, mediaType, filename }: WireFile): Content[number] | { notSent: string } {
  const path = url.startsWith("file:") ? fileURLToPath(url) : undefined;
  const name = filename ?? (path && basename(path));
  const shown = path ?? name ?? url.slice(0, 100);
  let data: Buffer;
  try {
    data = readContent(url);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    return { notSent: `The file ${shown} could not be read: ${reason}` };
  }
  if (SENT_TYPES.has(mediaType))
    return { type: "file", data: data.toString("base64"), mediaType, ...(name && { filename: name }) };
  if (mediaType.startsWith("text/") || (isUtf8(data) && !data.includes(0)))
    return { type: "text", text: `File: ${name ?? mediaType}\n${data.toString("utf8")}` };
  return { notSent: `The file ${shown} is not sent: models cannot read ${mediaType}` };
}

function readContent(url: string): Buffer {
  if (url.startsWith("file:"))
    return readRegularFileSync(realpathSync(fileURLToPath(url)), { maxBytes: MAX_FILE_BYTES });
  const data = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url);
  if (!data) throw new Error("it is neither a data URL nor a file URL");
  return data[1] ? Buffer.from(data[2]!, "base64") : Buffer.from(decodeURIComponent(data[2]!));
}
