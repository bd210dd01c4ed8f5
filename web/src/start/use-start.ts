/** Everything the start view does: choices, the agent's state, the session that warms up, and the start itself. */
import { useEffect, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { isUnreachable, messageOf } from "../api/error-text.ts";
import type { Agent, PromptPart, SessionDetails } from "../api/types.ts";
import { draftParts, keepDraft } from "../compose/kept-prompts.ts";
import type { DraftState } from "../compose/use-draft.ts";
import { useOnceRead } from "../compose/use-once-read.ts";
import { openSession } from "../route.ts";
import { useToasts } from "../ui/toasts.tsx";
import { readinessOf } from "./group-agents.ts";
import { keepChoices } from "./kept-choices.ts";
import { startSession, UnansweredStart } from "./start-session.ts";
import type { StartSettings } from "./start-settings.tsx";
import { type AgentStatusView, useAgentStatus } from "./use-agent-status.ts";
import { useProbedAgents } from "./use-probed-agents.ts";
import { type StartChoices, useStartChoices } from "./use-start-choices.ts";
import { useWarmSession } from "./use-warm-session.tsx";
import type { WarmState } from "./warm-session.ts";

/** Whoever moves through a list of agents does not start each of them. */
const SETTLE_MS = 250;

/** What is written here is kept under it: no session has such an id. */
export const START_DRAFT = "#start";

export interface Start {
  choices: StartChoices;
  agents: readonly Agent[];
  /** The chosen one, once it is known. */
  agent: Agent | undefined;
  status: AgentStatusView;
  warm: WarmState | undefined;
  /** What the agent told about itself, also of the last session that warmed up. */
  details: SessionDetails | undefined;
  problem: string | undefined;
  isStarting: boolean;
  canStart: boolean;
  change: (settings: StartSettings) => void;
  submit: () => void;
  /** Starts another agent with a prompt of its own. */
  submitTo: (agent: string, text: string) => void;
}

export function useStart(draft: DraftState): Start {
  const choices = useStartChoices();
  const { agent: name, directory, isApart, settings } = choices;
  const status = useAgentStatus(name);
  const agents = useProbedAgents(`${status.agent?.status?.installed} ${status.agent?.status?.signedIn}`);
  const agent = status.agent ?? agents.find((known) => known.name === name);
  const { warm, state } = useWarmSession();
  const toasts = useToasts();
  const { can } = useAccess();
  const [problem, setProblem] = useState<string>();
  const [isStarting, setIsStarting] = useState(false);
  const offers = useOffers(state);

  // Without the right to delete it, an unused one would stay. Of a worktree there would be more to delete.
  const canWarm = can("session.delete") && can("session.attach") && !isApart && !isStarting;
  const isReady = status.agent !== undefined && readinessOf(status.agent) === "ready";
  const isWanted = canWarm && isReady && !draft.isEmpty && directory !== undefined;
  useEffect(() => {
    if (isStarting) return;
    const current = warm.getState()?.choice;
    if (current && !(canWarm && isReady && current.agent === name && current.cwd === directory))
      warm.want(undefined);
    if (!isWanted) return;
    const timer = setTimeout(() => warm.want({ agent: name, cwd: directory }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [warm, canWarm, isReady, isWanted, isStarting, name, directory]);
  useEffect(() => () => warm.want(undefined), [warm]);

  async function begin(starting: { agent: string; settings: StartSettings; parts: PromptPart[] }) {
    setProblem(undefined);
    setIsStarting(true);
    try {
      const session = await startSession({ ...starting, cwd: directory, isApart, warm });
      keepChoices({ agent: starting.agent, directory });
      openSession(session);
      return true;
    } catch (error) {
      setIsStarting(false);
      if (!(error instanceof UnansweredStart)) {
        setProblem(messageOf(error));
        return false;
      }
      // There is a session by now, so the prompt goes on there: the composer says whether it was sent.
      if (!isUnreachable(error.cause)) toasts.show({ text: messageOf(error.cause), tone: "danger" });
      openSession(error.session);
      return true;
    }
  }

  const onceRead = useOnceRead(draft, () => {
    void begin({ agent: name, settings, parts: draftParts(draft) }).then((hasBegun) => {
      if (!hasBegun) return;
      // The view may be gone before the draft is.
      keepDraft(START_DRAFT, { text: "", files: [] });
      draft.take();
    });
  });

  const canStart =
    name !== "" &&
    !draft.isEmpty &&
    !isStarting &&
    !onceRead.isWaiting &&
    !status.progress &&
    (!agent || readinessOf(agent) !== "missing");
  return {
    choices,
    agents,
    agent,
    status,
    warm: state,
    details: offers?.choice.agent === name ? offers.details : undefined,
    problem,
    isStarting: isStarting || onceRead.isWaiting,
    canStart,
    change(change) {
      choices.change(change);
      warm.update(change).catch((error) => setProblem(messageOf(error)));
    },
    submit() {
      if (canStart) onceRead.send();
    },
    submitTo(other, text) {
      if (!isStarting) void begin({ agent: other, settings: {}, parts: [{ type: "text", text }] });
    },
  };
}

/** What the last agent offered stays on show while another directory or a worktree is chosen. */
function useOffers(state: WarmState | undefined): WarmState | undefined {
  const [last, setLast] = useState<WarmState>();
  const current = state?.details ? state : last;
  useEffect(() => {
    if (state?.details) setLast(state);
  }, [state]);
  return current;
}
