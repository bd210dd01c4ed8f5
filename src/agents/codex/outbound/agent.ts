/** Codex's sub-agents → drafts. Each is a thread of its own; to us it is background work of the call that began it. */
import type { Draft } from "../../../core/draft.ts";
import { withEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import type { CodexState } from "../conversation-state.ts";
import { TASK_OUTCOMES } from "../vocabulary.ts";
import type { WireAgentActivityItem, WireAgentToolItem, WireTurn } from "../wire.ts";
import type { Origin } from "./origin.ts";

type Step = Translation<CodexState>;

const RUNNING = "Running in the background.";

export function startAgentCall(item: WireAgentToolItem, origin: Origin): Draft[] {
  const { id, tool, prompt, receiverThreadIds = [] } = item;
  const input = {
    prompt: prompt ?? undefined,
    ...(receiverThreadIds.length > 0 && { agents: receiverThreadIds }),
  };
  return [
    {
      type: "tool.start",
      call: id,
      name: tool,
      kind: "agent",
      title: prompt ?? undefined,
      ...origin,
    },
    { type: "tool.input", call: id, input, ...origin },
  ];
}

export function endAgentCall(state: CodexState, item: WireAgentToolItem, origin: Origin): Step {
  const { id, tool, status, prompt, model, receiverThreadIds = [], agentsStates = {} } = item;
  if (tool === "spawnAgent" && receiverThreadIds.length > 0) {
    const agents = new Map(state.agents);
    for (const thread of receiverThreadIds) agents.set(thread, { call: id });
    const started = receiverThreadIds.map(
      (task): Draft => ({ type: "task.started", task, title: prompt ?? tool, kind: "agent", call: id }),
    );
    const metadata = model ? { metadata: { model } } : {};
    return [
      { ...state, agents },
      [...started, { type: "tool.output", call: id, output: RUNNING, running: true, ...metadata, ...origin }],
    ];
  }
  const told = Object.values(agentsStates).map((agent) => agent.message ?? agent.status ?? "");
  const output = told.join("\n");
  if (status === "failed") {
    return [state, [{ type: "tool.failed", call: id, error: output || "The sub-agent failed.", ...origin }]];
  }
  return [state, [{ type: "tool.output", call: id, output, ...origin }]];
}

/** Newer models tell of their sub-agents by activities in place of calls. */
export function agentActivity(state: CodexState, item: WireAgentActivityItem, origin: Origin): Step {
  const { id, kind, agentThreadId, agentPath } = item;
  if (kind !== "started" || state.agents.has(agentThreadId)) return [state, []];
  const title = agentPath ?? "sub-agent";
  return [
    { ...state, agents: withEntry(state.agents, agentThreadId, { call: id }) },
    [
      { type: "tool.start", call: id, name: "subAgent", kind: "agent", title, ...origin },
      { type: "task.started", task: agentThreadId, title, kind: "agent", call: id },
      { type: "tool.output", call: id, output: RUNNING, running: true, ...origin },
    ],
  ];
}

export function startAgentTurn(state: CodexState, thread: string, turn: WireTurn): Step {
  const agent = state.agents.get(thread);
  if (!agent) return [state, []];
  return [{ ...state, agents: withEntry(state.agents, thread, { ...agent, turn: turn.id }) }, []];
}

/** The last message of a sub-agent is its result. */
export function endAgentTurn(state: CodexState, thread: string, turn: WireTurn): Step {
  const agent = state.agents.get(thread);
  if (!agent) return [state, []];
  const last = turn.items?.at(-1);
  const said = last && "text" in last ? last.text : undefined;
  const failure = turn.error?.message;
  return [
    { ...state, agents: withEntry(state.agents, thread, { call: agent.call }) },
    [
      ...(said === undefined ? [] : [{ type: "tool.amended" as const, call: agent.call, output: said }]),
      ...(failure === undefined ? [] : [{ type: "tool.amended" as const, call: agent.call, error: failure }]),
      {
        type: "task.ended",
        task: thread,
        outcome: TASK_OUTCOMES[turn.status ?? ""] ?? "completed",
        summary: said,
        ...(turn.durationMs != null && { output: { durationMs: turn.durationMs } }),
      },
    ],
  ];
}
