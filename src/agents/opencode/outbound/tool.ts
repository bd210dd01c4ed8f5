/** Tool parts → drafts. A part is the whole state of its call each time; what is new in it becomes drafts. */
import type { Draft } from "../../../core/draft.ts";
import { unifiedDiff } from "../../../core/unified-diff.ts";
import { withEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import { type Call, NEW_CALL, type OpenCodeState, withTurn } from "../conversation-state.ts";
import { INVALID_TOOL, toolKind } from "../vocabulary.ts";
import type { WirePatchedFile, WireToolPart } from "../wire.ts";
import type { Origin } from "./event.ts";

const PATCH_KINDS = { add: "created", update: "changed", delete: "deleted", move: "moved" } as const;

export function translateToolPart(
  state: OpenCodeState,
  part: WireToolPart,
  origin: Origin,
): Translation<OpenCodeState> {
  const { turn } = state;
  const known = turn.calls.get(part.callID) ?? NEW_CALL;
  if (known.isSettled) return [state, []];
  const { callID, tool, state: now } = part;
  const { metadata = {} } = now;
  const output =
    now.status === "running" && typeof metadata.output === "string" ? metadata.output : known.output;
  const call: Call = {
    ...known,
    name: nameOf(part, known),
    title: now.title || known.title,
    hasInput: known.hasInput || now.status !== "pending",
    isSettled: now.status === "completed" || now.status === "error",
    output,
  };
  const child = tool === "task" ? metadata.sessionId : undefined;
  const next = withTurn(state, {
    calls: withEntry(turn.calls, callID, call),
    ...(child !== undefined && { children: withEntry(turn.children, child, callID) }),
  });
  const drafts = [
    ...announced(callID, known, call),
    ...inputOf(part, known),
    ...outputSoFar(callID, known, output),
  ];
  if (now.status === "completed") drafts.push(...editedFiles(part), result(part));
  if (now.status === "error")
    drafts.push({ type: "tool.failed", call: callID, error: now.error ?? "failed" });
  return [next, drafts.map((draft) => ({ ...draft, ...origin }))];
}

/** A tool that does not exist, or an input that is no JSON, becomes a call of another tool: the name stays. */
function nameOf({ tool, state }: WireToolPart, known: Call): string {
  if (tool !== INVALID_TOOL) return tool;
  return typeof state.input?.tool === "string" ? state.input.tool : known.name || tool;
}

function announced(call: string, known: Call, { name }: Call): Draft[] {
  if (known.name === name) return [];
  if (known.name !== "") return [{ type: "tool.start", call, name }];
  const kind = toolKind(name);
  return [{ type: "tool.start", call, name, ...(kind && { kind }) }];
}

function inputOf({ callID, tool, state }: WireToolPart, known: Call): Draft[] {
  const drafts: Draft[] = [];
  if (state.status !== "pending" && !known.hasInput && tool !== INVALID_TOOL) {
    const { input = {} } = state;
    drafts.push({ type: "tool.input", call: callID, input });
    if (known.askedEarly !== undefined)
      drafts.push({ type: "ask.updated", ask: known.askedEarly, detail: input });
  }
  if (state.title && state.title !== known.title && tool !== INVALID_TOOL)
    drafts.push({ type: "tool.start", call: callID, name: "", title: state.title });
  return drafts;
}

/** The server sends all of the output each time. */
function outputSoFar(call: string, known: Call, output: string): Draft[] {
  const isMore = output.length > known.output.length && output.startsWith(known.output);
  return isMore ? [{ type: "tool.output.delta", call, delta: output.slice(known.output.length) }] : [];
}

function result({ callID, tool, state }: WireToolPart): Draft {
  const { output = "", metadata, input } = state;
  if (tool === INVALID_TOOL) {
    const error = typeof input?.error === "string" ? input.error : output;
    return { type: "tool.failed", call: callID, error };
  }
  return {
    type: "tool.output",
    call: callID,
    output,
    exitCode: metadata?.exit,
  };
}

function editedFiles({ tool, callID, state: { metadata, input } }: WireToolPart): Draft[] {
  const { filediff, filepath, exists, files } = metadata ?? {};
  if (tool === "edit" && filediff) {
    return [
      { type: "file.edited", path: filediff.file, kind: "changed", diff: filediff.patch, call: callID },
    ];
  }
  if (tool === "write" && filepath !== undefined) {
    if (exists) return [{ type: "file.edited", path: filepath, kind: "changed", call: callID }];
    const diff = unifiedDiff(filepath, undefined, String(input?.content ?? ""));
    return [{ type: "file.edited", path: filepath, kind: "created", diff, call: callID }];
  }
  if (tool === "apply_patch" && Array.isArray(files)) return files.map((file) => patchedFile(file, callID));
  return [];
}

function patchedFile({ filePath, type, patch, movePath }: WirePatchedFile, call: string): Draft {
  const isMove = type === "move" && movePath !== undefined;
  return {
    type: "file.edited",
    path: isMove ? movePath : filePath,
    kind: PATCH_KINDS[type] ?? "changed",
    diff: patch,
    ...(isMove && { from: filePath }),
    call,
  };
}
