/** Codex's other tools → drafts: file changes, MCP and client tools, searches, pictures. */
import type { Draft } from "../../../core/draft.ts";
import { baseName } from "../vocabulary.ts";
import type { WireDynamicToolItem, WireFileChangeItem, WireItemOf, WireMcpItem } from "../wire.ts";
import { toFileChange } from "./file-change.ts";
import type { Origin } from "./origin.ts";

export function startFileChange({ id, changes }: WireFileChangeItem, origin: Origin): Draft[] {
  return [
    {
      type: "tool.start",
      call: id,
      name: "fileChange",
      kind: "edit",
      title: changes.map(({ path }) => baseName(path)).join(", "),
      locations: changes.map(({ path }) => ({ path })),
      ...origin,
    },
    { type: "tool.input", call: id, input: { changes }, ...origin },
  ];
}

export function endFileChange({ id, changes, status }: WireFileChangeItem, origin: Origin): Draft[] {
  if (status === "declined") return [{ type: "tool.denied", call: id, ...origin }];
  if (status === "failed") {
    return [{ type: "tool.failed", call: id, error: "The change could not be made.", ...origin }];
  }
  return [
    ...changes.map(
      (change): Draft => ({ type: "file.edited", ...toFileChange(change), call: id, ...origin }),
    ),
    { type: "tool.output", call: id, output: "", ...origin },
  ];
}

export function startMcpCall(item: WireMcpItem, origin: Origin): Draft[] {
  const { id, server, tool } = item;
  return [
    { type: "tool.start", call: id, name: tool, kind: "other", title: `${server}: ${tool}`, ...origin },
    { type: "tool.input", call: id, input: item.arguments, ...origin },
  ];
}

export function endMcpCall({ id, status, result, error, durationMs }: WireMcpItem, origin: Origin): Draft[] {
  const output = textOf(result?.content ?? []);
  const structured = result?.structuredContent ?? undefined;
  const metadata = {
    structuredContent: structured,
    durationMs: durationMs ?? undefined,
  };
  if (status !== "failed") return [{ type: "tool.output", call: id, output, metadata, ...origin }];
  const reason =
    error?.message ?? (typeof output === "string" && output !== "" ? output : "The tool failed.");
  return [{ type: "tool.failed", call: id, error: reason, metadata, ...origin }];
}

export function startDynamicCall(item: WireDynamicToolItem, origin: Origin): Draft[] {
  return [
    { type: "tool.start", call: item.id, name: item.tool, kind: "other", ...origin },
    { type: "tool.input", call: item.id, input: item.arguments, ...origin },
  ];
}

export function endDynamicCall(item: WireDynamicToolItem, origin: Origin): Draft[] {
  const { id, status, success, durationMs } = item;
  const output = textOf(item.contentItems ?? []);
  const metadata = durationMs == null ? {} : { metadata: { durationMs } };
  if (status !== "failed" && success !== false) {
    return [{ type: "tool.output", call: id, output, ...metadata, ...origin }];
  }
  const error = typeof output === "string" && output !== "" ? output : "The tool failed.";
  return [{ type: "tool.failed", call: id, error, ...metadata, ...origin }];
}

export function startSearch({ id, query }: WireItemOf<"webSearch">, origin: Origin): Draft[] {
  const title = query === "" ? undefined : query;
  return [{ type: "tool.start", call: id, name: "webSearch", kind: "search", title, ...origin }];
}

/** What was searched for is known only at the end. */
export function endSearch(item: WireItemOf<"webSearch">, origin: Origin): Draft[] {
  const { id, query, action, results } = item;
  return [
    ...startSearch(item, origin),
    { type: "tool.input", call: id, input: { query, action }, ...origin },
    { type: "tool.output", call: id, output: results ?? "", ...origin },
  ];
}

export function startImageView({ id, path }: WireItemOf<"imageView">, origin: Origin): Draft[] {
  const title = baseName(path);
  return [
    {
      type: "tool.start",
      call: id,
      name: "imageView",
      kind: "read",
      title,
      locations: [{ path }],
      ...origin,
    },
    { type: "tool.input", call: id, input: { path }, ...origin },
  ];
}

export function startPicture({ id }: WireItemOf<"imageGeneration">, origin: Origin): Draft[] {
  return [{ type: "tool.start", call: id, name: "imageGeneration", kind: "other", ...origin }];
}

/** The picture itself is a file of the answer. */
export function endPicture(item: WireItemOf<"imageGeneration">, origin: Origin): Draft[] {
  const { id, revisedPrompt, result, savedPath, failure } = item;
  const input: Draft[] =
    revisedPrompt == null
      ? []
      : [{ type: "tool.input", call: id, input: { prompt: revisedPrompt }, ...origin }];
  if (failure != null) {
    return [
      ...input,
      {
        type: "tool.failed",
        call: id,
        error: "The picture could not be made.",
        metadata: { failure },
        ...origin,
      },
    ];
  }
  const picture: Draft[] = result
    ? [{ type: "file", url: `data:image/png;base64,${result}`, mediaType: "image/png", ...origin }]
    : [];
  return [...input, { type: "tool.output", call: id, output: savedPath ?? "", ...origin }, ...picture];
}

/** The result of a call that was no item itself. */
export function lateResult({ id, name, output }: WireItemOf<"functionCallOutput">, origin: Origin): Draft[] {
  return [
    { type: "tool.start", call: id, name, kind: "other", ...origin },
    {
      type: "tool.output",
      call: id,
      output: Array.isArray(output) ? textOf(output) : (output ?? ""),
      ...origin,
    },
  ];
}

/** Text where all of it is text, else the contents as they are. */
function textOf(contents: readonly unknown[]): unknown {
  const texts = contents.map((content) => (content as { text?: unknown } | null)?.text);
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : contents;
}
