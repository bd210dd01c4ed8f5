/** Tool calls: upserted from whatever mentions them first, patched by what comes later, settled once. */
import type { Draft } from "../../../core/draft.ts";
import { isRecord } from "../../../core/is-record.ts";
import { parseJson } from "../../../core/parse-json.ts";
import { withoutUndefined } from "../../../core/without-undefined.ts";
import { type AcpState, afterSign, type KnownCall, withCall, withTurn } from "../conversation-state.ts";
import { exitCodeOf, parentOf, terminalTextOf, textInRawOutput, toolNameOf } from "../quirks.ts";
import { unwrap } from "../rpc-error-text.ts";
import { type JsonObject, objectOf, objectsOf, saysSomething, textOf } from "../untyped.ts";
import { absolutePath, filesOfContent, proposedChanges, textOfContent } from "./block.ts";
import { endPart } from "./chunk.ts";
import { terminalOf } from "./terminal.ts";

/** How the result of a call that failed begins, as JSON. */
const FAILED = '{"type":"tool.failed"';

type Step = readonly [AcpState, readonly Draft[]];

/** A `tool_call` or `tool_call_update`. */
export function translateToolCall(state: AcpState, update: JsonObject): Step {
  const id = textOf(update.toolCallId);
  if (id === undefined) {
    return [state, [{ type: "agent.unknown", native: `session/update/${String(update.sessionUpdate)}` }]];
  }
  const former = knownCall(state, id, update);
  if (former?.result !== undefined) return amend(state, former, id, update);
  const [call, described] = describe(former, id, update, state.cwd);
  // A call that was declined is over. Kimi goes on to describe it before it says that it failed.
  const news = former !== undefined && state.turn.declinedCalls.has(id) ? [] : described;
  const written = terminalTextOf(update);
  const current: KnownCall = {
    ...withContent(call, update.content),
    written: written === undefined ? call.written : call.written + written,
  };
  const results = settle(state, current, id, update);
  // A late title, or what a running command writes, does not divide what the agent says meanwhile.
  const [ended, ends] = former === undefined || results.length > 0 ? endPart(state) : [state, []];
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
export function translateAskedCall(state: AcpState, id: string, toolCall: JsonObject, ask: string): Step {
  const { declinedCalls } = state.turn;
  // What was declined is not asked for again: a new call has the id of the old one.
  const former = declinedCalls.has(id) ? undefined : state.calls.get(id);
  if (former === undefined) {
    const [call, drafts] = describe(undefined, id, toolCall, state.cwd);
    const others = new Set([...declinedCalls].filter((other) => other !== id));
    const next = declinedCalls.has(id) ? withTurn(state, { declinedCalls: others }) : state;
    return [withCall(next, id, { ...withContent(call, toolCall.content), ask }), drafts];
  }
  const input = saysSomething(toolCall.rawInput) ? toolCall.rawInput : inputInContent(former.content);
  const isNewInput = former.input === undefined && input !== undefined;
  const shown = withContent(former, toolCall.content);
  const call = {
    ...former,
    ask,
    input: isNewInput ? JSON.stringify(input) : former.input,
    content: former.content.length > 0 ? former.content : shown.content,
    changes: shown.changes,
  };
  return [withCall(state, id, call), isNewInput ? [{ type: "tool.input", call: id, input }] : []];
}

/**
 * Undefined for a call that is new, or that uses the id of an old one again. Cline and Kilo announce a call that was
 * declined or stopped once more, before they say that it failed.
 */
function knownCall({ calls, turn }: AcpState, id: string, update: JsonObject): KnownCall | undefined {
  const call = calls.get(id);
  const isAnnounced =
    call?.result !== undefined && update.sessionUpdate === "tool_call" && settlementOf(update) === undefined;
  return isAnnounced && !turn.stopping && !turn.declinedCalls.has(id) ? undefined : call;
}

/** Kimi tells the input as the text of a call that has not begun, and asks without it. */
function inputInContent(content: readonly JsonObject[]): JsonObject | undefined {
  const text = textOfContent(content);
  if (!text.startsWith("{")) return undefined;
  try {
    const input = parseJson(text);
    return isRecord(input) && saysSomething(input) ? input : undefined;
  } catch {
    return undefined;
  }
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
          withoutUndefined({
            path: absolutePath(path, cwd),
            line: Number.isInteger(line) ? (line as number) : undefined,
          }),
        ]
      : [],
  );
  const locations = places.length > 0 ? JSON.stringify(places) : former?.locations;
  const input = inputAfter(former, update.rawInput);
  const call: KnownCall = {
    ...withoutUndefined({ name, title, kind, locations, input, ask: former?.ask }),
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
      withoutUndefined({
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
  if (input !== former?.input) {
    drafts.push({ type: "tool.input", call: id, input: update.rawInput });
    if (former?.ask !== undefined && former.input === undefined)
      drafts.push({ type: "ask.updated", ask: former.ask, detail: update.rawInput });
  }
  return [call, drafts];
}

/** What a person was asked about does not become less: Kilo tells it again from its beginning, field by field. */
function inputAfter(former: KnownCall | undefined, rawInput: unknown): string | undefined {
  if (!saysSomething(rawInput)) return former?.input;
  const input = JSON.stringify(rawInput);
  if (former?.ask === undefined || former.input === undefined || former.input === input) return input;
  const asked = parseJson(former.input);
  const isLess = isRecord(asked) && Object.keys(asked).some((field) => !(field in objectOf(rawInput)));
  return isLess ? former.input : input;
}

/** The drafts that end a call, the last of which is its result; none while it runs. */
function settle(state: AcpState, call: KnownCall, id: string, update: JsonObject): Draft[] {
  switch (settlementOf(update)) {
    case "completed":
      return [
        ...proposedChanges(call.changes, state.cwd).map(
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
  return withoutUndefined({
    type: "tool.output" as const,
    call: id,
    output: text || (saysSomething(rawOutput) ? rawOutput : ""),
    exitCode: exitCodeOf(update) ?? terminal.exitCode,
    metadata: text && isRecord(rawOutput) ? rawOutput : undefined,
  });
}

function failureOf(state: AcpState, call: KnownCall, id: string, update: JsonObject): Draft {
  const terminal = terminalOf(state, call);
  const raw = update.rawOutput;
  const told = isRecord(raw)
    ? (textOf(raw.message) ?? textOf(raw.error) ?? textOf(raw.text))
    : typeof raw === "string" && unwrap(raw);
  return withoutUndefined({
    type: "tool.failed" as const,
    call: id,
    error: textOfContent(objectsOf(update.content)) || told || lastWords(call) || "The tool call failed.",
    output: terminal.text || undefined,
    exitCode: exitCodeOf(update) ?? terminal.exitCode,
  });
}

/** What an earlier patch said stays; but what stood there before the call ran is its input. */
function lastWords({ content }: KnownCall): string | undefined {
  return inputInContent(content) === undefined ? textOfContent(content) : undefined;
}

/** A call has its result; another one corrects it. The same again says nothing, and a status alone only the first time. */
function amend(state: AcpState, call: KnownCall, id: string, update: JsonObject): Step {
  const settlement = settlementOf(update);
  if (settlement === undefined || settlement === "cancelled") return [state, []];
  const isBare = !saysSomething(update.content) && !saysSomething(update.rawOutput);
  const isKnown = settlement === "completed" || call.result?.startsWith(FAILED);
  if (isBare && isKnown && call.result !== "") return [state, []];
  const draft = (settlement === "failed" ? failureOf : outputOf)(state, call, id, update);
  const result = JSON.stringify(draft);
  if (result === call.result) return [state, []];
  return [withCall(state, id, { ...call, result }), [draft]];
}
