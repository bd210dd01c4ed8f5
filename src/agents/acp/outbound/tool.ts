/** Tool calls: upserted from whatever mentions them first, patched by what comes later, settled once. */
import type { Draft } from "../../../core/draft.ts";
import { type AcpState, afterSign, type KnownCall, withCall } from "../conversation-state.ts";
import { defined, isObject, type JsonObject, objectOf, objectsOf, saysSomething, textOf } from "../loose.ts";
import { exitCodeOf, parentOf, terminalTextOf, textInRawOutput, toolNameOf } from "../quirks.ts";
import { absolutePath, changesOfContent, filesOfContent, textOfContent } from "./block.ts";
import { endPart } from "./chunk.ts";
import { terminalOf } from "./terminal.ts";

type Step = readonly [AcpState, readonly Draft[]];

/** A `tool_call` or `tool_call_update`. */
export function translateToolCall(state: AcpState, update: JsonObject): Step {
  const id = textOf(update.toolCallId);
  if (id === undefined) {
    return [state, [{ type: "agent.unknown", native: `session/update/${String(update.sessionUpdate)}` }]];
  }
  const [ended, ends] = endPart(state);
  const former = knownCall(ended, id, update);
  if (former?.result !== undefined) return [ended, [...ends, ...amendments(ended, former, id, update)]];
  const [call, news] = describe(former, id, update, ended.cwd);
  const written = terminalTextOf(update);
  const current: KnownCall = {
    ...withContent(call, update.content),
    written: written === undefined ? call.written : call.written + written,
  };
  const results = settle(ended, current, id, update);
  const delta: Draft[] =
    written !== undefined && results.length === 0
      ? [{ type: "tool.output.delta", call: id, delta: written }]
      : [];
  const settled = results.length === 0 ? current : { ...current, result: JSON.stringify(results.at(-1)) };
  return [afterSign(withCall(ended, id, settled)), [...ends, ...news, ...delta, ...results]];
}

/**
 * The call a permission is asked for. What the request says about a call that is known already is about the ask and
 * does not change the call.
 */
export function translateAskedCall(state: AcpState, id: string, toolCall: JsonObject): Step {
  const former = knownCall(state, id, toolCall);
  if (former === undefined) {
    const [call, drafts] = describe(undefined, id, toolCall, state.cwd);
    return [withCall(state, id, withContent(call, toolCall.content)), drafts];
  }
  const isNewInput = former.input === undefined && saysSomething(toolCall.rawInput);
  const shown = withContent(former, toolCall.content);
  const call = {
    ...former,
    input: isNewInput ? JSON.stringify(toolCall.rawInput) : former.input,
    content: former.content.length > 0 ? former.content : shown.content,
    changes: shown.changes,
  };
  return [
    withCall(state, id, call),
    isNewInput ? [{ type: "tool.input", call: id, input: toolCall.rawInput }] : [],
  ];
}

/** Undefined for a call that is new, or that uses the id of an old one again. */
function knownCall(state: AcpState, id: string, update: JsonObject): KnownCall | undefined {
  const call = state.calls.get(id);
  const beginsAgain =
    call?.result !== undefined && update.sessionUpdate === "tool_call" && settlementOf(update) === undefined;
  return beginsAgain ? undefined : call;
}

function withContent(call: KnownCall, value: unknown): KnownCall {
  const content = objectsOf(value);
  if (content.length === 0) return call;
  return { ...call, content, changes: content.some(({ type }) => type === "diff") ? content : call.changes };
}

/** What is new about a call: its start or a correction of it, and its input. */
function describe(
  former: KnownCall | undefined,
  id: string,
  update: JsonObject,
  cwd: string | undefined,
): readonly [KnownCall, readonly Draft[]] {
  const kind = textOf(update.kind) ?? former?.kind;
  const title = textOf(update.title) ?? former?.title;
  const name = toolNameOf(update) ?? former?.name ?? kind ?? "tool";
  const places = objectsOf(update.locations).flatMap(({ path, line }) =>
    typeof path === "string"
      ? [
          defined({
            path: absolutePath(path, cwd),
            line: Number.isInteger(line) ? (line as number) : undefined,
          }),
        ]
      : [],
  );
  const locations = places.length > 0 ? JSON.stringify(places) : former?.locations;
  const input = saysSomething(update.rawInput) ? JSON.stringify(update.rawInput) : former?.input;
  const call: KnownCall = {
    ...defined({ name, title, kind, locations, input }),
    content: former?.content ?? [],
    changes: former?.changes ?? [],
    written: former?.written ?? "",
  };
  const drafts: Draft[] = [];
  const isNew =
    former === undefined ||
    former.name !== name ||
    former.title !== title ||
    former.kind !== kind ||
    former.locations !== locations;
  if (isNew) {
    drafts.push(
      defined({
        type: "tool.start" as const,
        call: id,
        name,
        title,
        kind,
        locations: locations === former?.locations ? undefined : places,
        parent: parentOf(update),
      }),
    );
  }
  if (input !== former?.input) drafts.push({ type: "tool.input", call: id, input: update.rawInput });
  return [call, drafts];
}

/** The drafts that end a call, the last of which is its result; none while it runs. */
function settle(state: AcpState, call: KnownCall, id: string, update: JsonObject): Draft[] {
  switch (settlementOf(update)) {
    case "completed":
      return [
        ...changesOfContent(call.changes, state.cwd).map(
          (change): Draft => ({ type: "file.edited", ...change, call: id }),
        ),
        ...filesOfContent(call.content),
        outputOf(state, call, id, update),
      ];
    case "failed":
      return [failureOf(state, call, id, update)];
    case "cancelled":
      return [{ type: "tool.abandoned", call: id, reason: "the agent cancelled it" }];
    default:
      return [];
  }
}

function settlementOf({ status }: JsonObject): "completed" | "failed" | "cancelled" | undefined {
  switch (status) {
    case "completed":
    case "failed":
    case "cancelled":
      return status;
    // Not in the protocol, but what an agent might say of a call that was declined.
    case "rejected":
      return "failed";
    default:
      return undefined;
  }
}

function outputOf(state: AcpState, call: KnownCall, id: string, update: JsonObject): Draft {
  const { rawOutput } = update;
  const terminal = terminalOf(state, call);
  const text =
    typeof rawOutput === "string"
      ? rawOutput
      : textOfContent(objectsOf(update.content)) || terminal.text || textInRawOutput(objectOf(rawOutput));
  return defined({
    type: "tool.output" as const,
    call: id,
    output: text || (saysSomething(rawOutput) ? rawOutput : ""),
    exitCode: exitCodeOf(update) ?? terminal.exitCode,
    metadata: text && isObject(rawOutput) ? rawOutput : undefined,
  });
}

function failureOf(state: AcpState, call: KnownCall, id: string, update: JsonObject): Draft {
  const terminal = terminalOf(state, call);
  const raw = update.rawOutput;
  const told = isObject(raw) ? (textOf(raw.message) ?? textOf(raw.error) ?? textOf(raw.text)) : textOf(raw);
  return defined({
    type: "tool.failed" as const,
    call: id,
    error: textOfContent(objectsOf(update.content)) || told || "The tool call failed.",
    output: terminal.text || undefined,
    exitCode: exitCodeOf(update) ?? terminal.exitCode,
  });
}

/** A call has its result; another one corrects it, and the same again says nothing. */
function amendments(state: AcpState, call: KnownCall, id: string, update: JsonObject): Draft[] {
  const settlement = settlementOf(update);
  if (settlement === undefined || settlement === "cancelled") return [];
  const result = (settlement === "failed" ? failureOf : outputOf)(state, call, id, update);
  return JSON.stringify(result) === call.result ? [] : [result];
}
