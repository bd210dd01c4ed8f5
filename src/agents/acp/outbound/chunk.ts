/** Chunks of messages and thoughts → parts. Agents rarely say where a part ends, so whatever else comes ends it. */
import type { Draft } from "../../../core/draft.ts";
import { withoutUndefined } from "../../../core/without-undefined.ts";
import { type AcpState, afterSign, type OpenPart, withTurn } from "../conversation-state.ts";
import { isRetryNotice, modeAnnouncedIn, modelErrorIn, parentOf } from "../quirks.ts";
import { type JsonObject, objectOf, textOf } from "../untyped.ts";
import { fileOfBlock } from "./block.ts";
import { tokenUsage } from "./usage.ts";

type Step = readonly [AcpState, readonly Draft[]];

const DELTA = { text: "text.delta", reasoning: "reasoning.delta" } as const;

export function translateChunk(state: AcpState, kind: OpenPart["kind"], update: JsonObject): Step {
  const { type, text } = objectOf(update.content);
  const step = type === "text" ? translateText(state, kind, text, update) : translateBlock(state, update);
  // Qwen tells what a model call used in a chunk that says nothing else.
  const usage = update._meta === undefined ? undefined : tokenUsage(objectOf(update._meta).usage);
  return usage ? [step[0], [...step[1], usage]] : step;
}

function translateText(state: AcpState, kind: OpenPart["kind"], text: unknown, update: JsonObject): Step {
  const delta = textOf(text);
  if (delta === undefined) return [state, []];
  const mode = modeAnnouncedIn(delta);
  if (mode !== undefined) return [state, [{ type: "session.updated", mode }]];
  // Before the first prompt there is nothing to answer: it is a greeting.
  if (!state.hasPrompted) return [state, [{ type: "notice", level: "info", code: "agent", text: delta }]];
  if (isRetryNotice(delta, state.agent?.name))
    return [afterSign(state), [{ type: "notice", level: "warning", code: "retry", text: delta }]];
  const parent = parentOf(update);
  const id = textOf(update.messageId);
  const isFirst = kind === "text" && parent === undefined && isUnanswered(state);
  const failure = isFirst ? modelErrorIn(delta, state.agent?.name) : undefined;
  if (failure !== undefined) {
    const [ended, ends] = endPart(state);
    return [withTurn(ended, { held: withoutUndefined({ text: delta, id, failure }), spoke: true }), ends];
  }
  const [known, held] = releaseHeld(state);
  const { part } = known;
  const continues =
    part !== undefined &&
    part.kind === kind &&
    part.parent === parent &&
    (id === undefined || id === part.id);
  const [ended, ends] = continues ? [known, held] : endPart(state);
  const current = continues ? part : withoutUndefined({ kind, id, parent });
  const isPlain = current.id === undefined && parent === undefined;
  const draft: Draft = isPlain
    ? { type: DELTA[kind], delta }
    : withoutUndefined({ type: DELTA[kind], part: current.id, parent, delta });
  const next = afterSign(continues ? ended : { ...ended, part: current });
  const answered = isFirst ? withTurn(next, { hasAnswered: true }) : next;
  return [answered, ends.length === 0 ? [draft] : [...ends, draft]];
}

/** A prompt waits for the first word. Later ones may quote an error. */
function isUnanswered({ turn }: AcpState): boolean {
  return turn.prompts > 0 && !turn.hasAnswered && turn.held === undefined;
}

/** The agent went on after what looked like an error: it was its answer. */
export function releaseHeld(state: AcpState): Step {
  const { held } = state.turn;
  if (held === undefined) return [state, []];
  const part = withoutUndefined({ kind: "text" as const, id: held.id });
  const next = withTurn({ ...state, part }, { held: undefined, hasAnswered: true });
  return [next, [withoutUndefined({ type: "text.delta" as const, part: held.id, delta: held.text })]];
}

function translateBlock(state: AcpState, update: JsonObject): Step {
  const block = objectOf(update.content);
  const draft = fileOfBlock(block);
  if (draft === undefined) {
    const native = `session/update/${String(update.sessionUpdate)}/${String(block.type)}`;
    return [state, [{ type: "agent.unknown", native }]];
  }
  const [ended, ends] = endPart(state);
  return [afterSign(ended), [...ends, draft]];
}

export function endPart(state: AcpState): Step {
  const [known, held] = releaseHeld(state);
  const { part } = known;
  if (!part) return [known, held];
  const end = withoutUndefined({ type: `${part.kind}.end` as const, part: part.id, parent: part.parent });
  return [{ ...known, part: undefined }, [...held, end]];
}
