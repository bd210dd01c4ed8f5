/** Says what came with a prompt; nothing when nothing came. */
import type { WireFile } from "../../wire.ts";

export function describeFiles(files: readonly WireFile[]): string {
  if (files.length === 0) return "";
  const names = files.map(({ filename, mediaType }) => `${filename ?? "a file"} (${mediaType})`);
  return ` You sent ${files.length} ${files.length === 1 ? "file" : "files"}: ${names.join(", ")}.`;
}
