/** Content blocks and lists of them, as text, files, sources and changes of files. */
import { isAbsolute, join } from "node:path/posix";
import type { Draft } from "../../../core/draft.ts";
import type { ProposedChange } from "../../../core/proposed-change.ts";
import { unifiedDiff } from "../../../core/unified-diff.ts";
import { withoutUndefined } from "../../../core/without-undefined.ts";
import { type JsonObject, objectOf, textOf } from "../untyped.ts";

/** The text blocks of a tool's content. */
export function textOfContent(content: readonly JsonObject[]): string {
  return content
    .filter(({ type }) => type === "content")
    .map(({ content: block }) => {
      const { type, text } = objectOf(block);
      return type === "text" ? textOf(text) : undefined;
    })
    .filter((text) => text !== undefined)
    .join("\n");
}

/** What a tool's content shows besides text. */
export function filesOfContent(content: readonly JsonObject[]): Draft[] {
  return content
    .filter(({ type }) => type === "content")
    .flatMap(({ content: block }) => fileOfBlock(objectOf(block)) ?? []);
}

/** Some agents give the whole file as `oldText`, others only the lines that they replace. */
export function proposedChanges(content: readonly JsonObject[], cwd: string | undefined): ProposedChange[] {
  return content.flatMap(({ type, path, oldText, newText }) => {
    if (type !== "diff" || typeof path !== "string" || typeof newText !== "string") return [];
    const where = absolutePath(path, cwd);
    const before = textOf(oldText);
    return [
      {
        path: where,
        kind: before === undefined ? "created" : "changed",
        diff: unifiedDiff(where, before, newText),
        edits: [before === undefined ? { replace: newText } : { find: before, replace: newText }],
      },
    ];
  });
}

/** Undefined for text, and for a block we do not know. */
export function fileOfBlock(block: JsonObject): Draft | undefined {
  const { type, mimeType, data, uri, name, title } = block;
  switch (type) {
    case "image":
    case "audio": {
      const mediaType = textOf(mimeType) ?? "application/octet-stream";
      const url = textOf(data) === undefined ? textOf(uri) : `data:${mediaType};base64,${data}`;
      return url === undefined ? undefined : { type: "file", url, mediaType };
    }
    case "resource_link": {
      const url = textOf(uri);
      if (url === undefined) return undefined;
      return withoutUndefined({
        type: "source" as const,
        id: url,
        url,
        title: textOf(title) ?? textOf(name),
        mediaType: textOf(mimeType),
      });
    }
    case "resource":
      return embeddedFile(objectOf(block.resource));
    default:
      return undefined;
  }
}

function embeddedFile({ uri, mimeType, text, blob }: JsonObject): Draft | undefined {
  const mediaType =
    textOf(mimeType) ?? (typeof text === "string" ? "text/plain" : "application/octet-stream");
  const base64 = typeof text === "string" ? Buffer.from(text).toString("base64") : textOf(blob);
  if (base64 === undefined) return undefined;
  const filename = textOf(uri)?.split("/").at(-1);
  return withoutUndefined({
    type: "file" as const,
    url: `data:${mediaType};base64,${base64}`,
    mediaType,
    filename: filename || undefined,
  });
}

export function absolutePath(path: string, cwd: string | undefined): string {
  return isAbsolute(path) || cwd === undefined ? path : join(cwd, path);
}
