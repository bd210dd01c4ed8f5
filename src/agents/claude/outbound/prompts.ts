/**
 * What became of the prompts we wrote. Claude Code folds a prompt into the running turn, or gives it a turn of its own
 * right after; several that waited are answered together. To us both is one turn, which ends when no prompt waits.
 */
import type { Draft } from "../../../core/draft.ts";
import type { ClaudeState, SentPrompt } from "../conversation-state.ts";
import type { CommandLifecycleLine, PromptLine, PromptNote, ResultLine } from "../wire.ts";

type Translation = readonly [ClaudeState, readonly Draft[]];

export function afterPromptSent(state: ClaudeState, { uuid, interlingua }: PromptLine): ClaudeState {
  const sent = { ...state, isTurnOpen: true, promptCount: state.promptCount + 1 };
  // Without an id nothing will be heard of it. We always write one; other clients did not.
  if (uuid === undefined) return sent;
  const unheard = { uuid, isTaken: false, isReceived: false };
  return { ...sent, prompts: [...state.prompts, { ...unheard, ...ownView(state, uuid, interlingua) }] };
}

function ownView(
  state: ClaudeState,
  uuid: string,
  note: PromptNote | undefined,
): Pick<SentPrompt, "message" | "opensTurn"> {
  if (!note) return { message: uuid, opensTurn: !state.isTurnOpen };
  if ("withAnswer" in note) return { opensTurn: false };
  return { message: note.message, opensTurn: !note.steer };
}

/** Claude Code repeats a prompt when it has it in its conversation. */
export function readReplay(state: ClaudeState, uuid: string | undefined): Translation {
  const prompt = state.prompts.find((sent) => sent.uuid === uuid);
  if (!prompt || prompt.isReceived) return [state, []];
  const taken = take(state, [prompt.uuid], { isReceived: true });
  const { message } = prompt;
  return [taken, message === undefined ? [] : [{ type: "prompt.received", message, native: prompt.uuid }]];
}

export function readLifecycle(state: ClaudeState, line: CommandLifecycleLine): Translation {
  const told = state.tellsLifecycle ? state : { ...state, tellsLifecycle: true };
  const { command_uuid: uuid } = line;
  switch (line.state) {
    case "started":
      return [{ ...take(told, [uuid]), isWorking: true }, []];
    case "cancelled":
      return readCancellation(told, uuid);
    default:
      return [told, []];
  }
}

/** A prompt was taken out of the queue before anything was done with it. */
export function readCancellation(state: ClaudeState, uuid: string): Translation {
  const prompt = state.prompts.find((sent) => sent.uuid === uuid);
  if (!prompt || prompt.isTaken) return [state, []];
  const prompts = state.prompts.filter((sent) => sent !== prompt);
  const { message } = prompt;
  if (message === undefined) return [{ ...state, prompts }, []];
  if (!prompt.opensTurn) {
    const reason = "the turn was stopped before it was taken up";
    return [{ ...state, prompts }, [{ type: "prompt.returned", message, reason }]];
  }
  if (state.isWorking || prompts.length > 0) return [{ ...state, prompts }, []];
  return [{ ...state, prompts, isTurnOpen: false }, [{ type: "turn.ended", outcome: "interrupted" }]];
}

/** A turn of Claude Code begins. Older versions do not tell that it is for the prompts that waited. */
export function afterTurnBegan(state: ClaudeState): ClaudeState {
  if (state.isWorking) return state;
  const isForWaiting = !state.tellsLifecycle && state.wokenBy === undefined;
  const waiting = state.prompts.filter(({ isTaken, opensTurn }) => !isTaken && !opensTurn);
  const next = isForWaiting
    ? take(
        state,
        waiting.map(({ uuid }) => uuid),
      )
    : state;
  return { ...next, isWorking: true };
}

/** The model begins to speak: what it says answers the last of the prompts that were taken up. */
export function takeUp(state: ClaudeState): Translation {
  if (state.takenUp === undefined) return [state, []];
  return [{ ...state, takenUp: undefined }, [{ type: "prompt.taken", message: state.takenUp }]];
}

/** The prompts that still wait after a result; while there is one, our turn goes on. */
export function waitingAfter(state: ClaudeState, result: ResultLine): readonly SentPrompt[] {
  const { user_message_uuids: answered } = result;
  const waiting = state.prompts.filter(
    ({ uuid, isTaken }) => !(isTaken || (answered?.includes(uuid) ?? false)),
  );
  if (answered || isOwnTurn(result)) return waiting;
  // Older versions do not name the prompt a result is for: it is for the one that began the turn.
  return waiting.filter(({ opensTurn }) => !opensTurn);
}

/** Whether Claude Code had begun the turn by itself. */
function isOwnTurn({ origin }: ResultLine): boolean {
  return origin !== undefined && origin.kind !== "human";
}

function take(state: ClaudeState, uuids: readonly string[], change: Partial<SentPrompt> = {}): ClaudeState {
  let { takenUp } = state;
  const prompts = state.prompts.map((prompt) => {
    if (!uuids.includes(prompt.uuid)) return prompt;
    if (!prompt.isTaken && !prompt.opensTurn) takenUp = prompt.message ?? takenUp;
    return { ...prompt, isTaken: true, ...change };
  });
  return { ...state, prompts, takenUp };
}
