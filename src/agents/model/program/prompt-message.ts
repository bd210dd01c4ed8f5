/** A prompt as the message a model gets: its text, its pictures, and files of text as text. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { UserModelMessage } from "ai";
import type { WireFile } from "../wire.ts";

const TEXT_TYPES = /^(text\/|application\/(json|xml|yaml|x-yaml|toml|javascript|typescript))/;

type Content = Exclude<UserModelMessage["content"], string>;

export async function promptMessage(text: string, files: readonly WireFile[]): Promise<UserModelMessage> {
  const content: Content = [];
  for (const file of files) content.push(...(await filePart(file)));
  if (text !== "" || content.length === 0) content.push({ type: "text", text });
  return { role: "user", content };
}

async function filePart({ url, mediaType, filename }: WireFile): Promise<Content> {
  const name = filename ?? (url.startsWith("file:") ? basename(fileURLToPath(url)) : undefined);
  let data: Buffer;
  try {
    data = await readContent(url);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    return [{ type: "text", text: `[The file ${name ?? url.slice(0, 100)} could not be read: ${reason}]` }];
  }
  if (TEXT_TYPES.test(mediaType))
    return [{ type: "text", text: `File: ${name ?? mediaType}\n${data.toString("utf8")}` }];
  return [{ type: "file", data: data.toString("base64"), mediaType, ...(name && { filename: name }) }];
}

async function readContent(url: string): Promise<Buffer> {
  if (url.startsWith("file:")) return readFile(fileURLToPath(url));
  const data = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url);
  if (!data) throw new Error("it is neither a data URL nor a file URL");
  return data[1] ? Buffer.from(data[2]!, "base64") : Buffer.from(decodeURIComponent(data[2]!));
}
