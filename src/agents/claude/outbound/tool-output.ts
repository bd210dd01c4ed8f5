/** What a tool gave back, as text and files. */
import type { Draft } from "../../../core/draft.ts";
import { isRecord } from "../../../core/is-record.ts";
import type { WireBlock, WireImage } from "../wire.ts";

/** How the message of a failed command begins. */
const EXIT_CODE = /^Exit code (\d+)/;

const ERROR_WRAPPER = /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/;

/** The texts of a result; what is no text is named. */
export function resultText(content: string | readonly WireBlock[] | undefined): string {
  if (content === undefined) return "";
  if (typeof content === "string") return content;
  return content.map((block) => ("text" in block ? block.text : `[${block.type}]`)).join("\n");
}

export function toolErrorText(content: string | readonly WireBlock[] | undefined): string {
  const text = resultText(content).trim();
  return ERROR_WRAPPER.exec(text)?.[1]?.trim() ?? text;
}

export function exitCodeOf(error: string): { exitCode?: number } {
  const code = EXIT_CODE.exec(error)?.[1];
  return code === undefined ? {} : { exitCode: Number(code) };
}

/** The report of a sub-agent, without what Claude Code wraps around it for the model. */
export function reportOf(structured: unknown): string | undefined {
  if (!isRecord(structured) || !Array.isArray(structured.content)) return undefined;
  const last: unknown = structured.content.at(-1);
  return isRecord(last) && typeof last.text === "string" ? last.text : undefined;
}

/** Pictures a tool gave, as files of the answer. */
export function resultFiles(
  content: string | readonly WireBlock[] | undefined,
  parent: string | undefined,
): readonly Draft[] {
  if (content === undefined || typeof content === "string") return [];
  return content.flatMap((block) => {
    const url = block.type === "image" ? imageUrl(block as WireImage) : undefined;
    if (url === undefined) return [];
    const mediaType = (block as WireImage).source.media_type ?? "image/*";
    return [{ type: "file" as const, url, mediaType, parent }];
  });
}

function imageUrl({ source }: WireImage): string | undefined {
  if (source.url !== undefined) return source.url;
  return source.data === undefined ? undefined : `data:${source.media_type};base64,${source.data}`;
}
