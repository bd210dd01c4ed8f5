/** Codex's commands → drafts: their output, their end, and those that go on in the background. */
import type { Draft } from "../../../core/draft.ts";
import { shellCommand } from "../../../core/shell-command.ts";
import { withEntry, withoutEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import { type CodexState, isAskedAbout } from "../conversation-state.ts";
import type { WireCommandItem } from "../wire.ts";
import type { Origin } from "./origin.ts";

type Step = Translation<CodexState>;

/** The exit code Codex gives a command it ended itself. */
const ENDED_BY_CODEX = -1;

export interface Place {
  readonly thread: string;
  readonly turn: string;
}

export function startCommand(state: CodexState, item: WireCommandItem, place: Place, origin: Origin): Step {
  const title = shellCommand(item.command);
  const process = item.processId ?? undefined;
  const running = { ...place, title, process, output: "", isBackground: false };
  return [
    { ...state, commands: withEntry(state.commands, item.id, running) },
    [
      { type: "tool.start", call: item.id, name: "commandExecution", kind: "execute", title, ...origin },
      { type: "tool.input", call: item.id, input: { command: item.command, cwd: item.cwd }, ...origin },
    ],
  ];
}

export function addOutput(state: CodexState, call: string, delta: string, origin: Origin): Step {
  const command = state.commands.get(call);
  const next = command && {
    ...state,
    commands: withEntry(state.commands, call, { ...command, output: command.output + delta }),
  };
  return [next ?? state, [{ type: "tool.output.delta", call, delta, ...origin }]];
}

export function endCommand(state: CodexState, item: WireCommandItem, origin: Origin): Step {
  const { id, status, exitCode, durationMs } = item;
  const command = state.commands.get(id);
  const stopped = state.stopped.has(id)
    ? new Set([...state.stopped].filter((call) => call !== id))
    : state.stopped;
  const next = { ...state, commands: withoutEntry(state.commands, id), stopped };
  if (status === "declined") return [next, [{ type: "tool.denied", call: id, ...origin }]];
  // Deltas are lossy by design; this is all of it.
  const output = item.aggregatedOutput ?? "";
  const result = {
    call: id,
    output,
    exitCode: exitCode ?? undefined,
    ...(durationMs != null && { metadata: { durationMs } }),
  };
  if (command?.isBackground) {
    // After a stop it is ended by us as well: whoever is first decides how it exits.
    const isStopped = exitCode === ENDED_BY_CODEX || (command.isStopped && status === "failed");
    const outcome = isStopped ? "stopped" : status === "failed" ? "failed" : "completed";
    return [
      next,
      [
        { type: "tool.amended", ...result },
        { type: "task.ended", task: id, outcome, ...(exitCode != null && { output: { exitCode } }) },
      ],
    ];
  }
  if (status !== "failed") return [next, [{ type: "tool.output", ...result, ...origin }]];
  const error = exitCode == null ? "The command was not run." : `exit code ${exitCode}`;
  return [next, [{ type: "tool.failed", ...result, error, ...origin }]];
}

/** The model went on, or its turn is over: commands that still run are background work from here on. */
export function leaveRunning(state: CodexState): Step {
  const drafts: Draft[] = [];
  let { commands } = state;
  for (const [call, command] of state.commands) {
    // One that waits for a person does not run.
    if (command.isBackground || command.thread !== state.thread || isAskedAbout(state, call)) continue;
    commands = withEntry(commands, call, { ...command, isBackground: true });
    const { title, output, process } = command;
    const metadata = process === undefined ? {} : { metadata: { processId: process } };
    drafts.push(
      { type: "task.started", task: call, title, kind: "command", call },
      { type: "tool.output", call, output, running: true, ...metadata },
    );
  }
  return drafts.length === 0 ? [state, drafts] : [{ ...state, commands }, drafts];
}
