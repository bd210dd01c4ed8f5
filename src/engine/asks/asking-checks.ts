/** What a command may do to a session whose agent does not ask, and whether it may turn asking off. */
import type { AskOption } from "../../core/ask.ts";
import {
  type AskingAgent,
  type AsksAnswer,
  changeAsks,
  optionAsks,
  sessionAsks,
} from "../../core/asks-permission.ts";
import { findCommand, type PromptCommand } from "../../core/prompt-commands.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { type Access, hasRight, type Right } from "../../core/rights.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { SettingValues } from "../../core/setting.ts";
import type { CreateSession, UpdateSession } from "../../protocol/commands/command-types.ts";
import { lacksRight } from "../../protocol/refusals.ts";
import { shownSettings } from "../agent/agent-setting-values.ts";

export interface AskingSession {
  readonly agent: AskingAgent;
  readonly state: SessionState;
}

/** Whether the agent of this session asks a person before it acts, as the session works now. */
export function asksNow({ agent, state }: AskingSession): AsksAnswer {
  const now = sessionAsks(agent, wayOf(state));
  if (now.asks !== "yes") return now;
  // The agent may apply at any moment what it was told.
  const soon = changeAsks(agent, wayOf(state), state.requested ?? {});
  if (soon.asks !== "yes") return soon;
  if (!state.approvalCommand) return now;
  return { asks: "unknown", reason: "a command that can change it was given since the agent started" };
}

function wayOf(state: SessionState) {
  const { mode, permissionMode, modes, options } = state;
  return { mode, permissionMode, modes, options, settings: shownSettings(state) };
}

/** The slash command that a prompt is. */
export function commandIn(
  { agent, state }: AskingSession,
  parts: readonly PromptPart[],
): PromptCommand | undefined {
  const { asking, capabilities } = agent;
  return findCommand(parts, { offered: state.commands, asking, hasCommands: capabilities.slashCommands });
}

/**
 * Throws `forbidden` unless the caller may send this prompt, with these settings, to the agent as it works now.
 *
 * @param mayWait A command that the agent has not listed yet passes if the list could still allow it.
 */
export function assertMayPrompt(
  access: Access,
  session: AskingSession,
  { parts = [], settings }: { parts?: readonly PromptPart[]; settings?: SettingValues } = {},
  mayWait = false,
): void {
  if (hasRight(access, "session.bypass")) return;
  assertAsks(access, "session.unasked", asksNow(session));
  if (settings) assertMayChange(access, session, { settings });
  const found = commandIn(session, parts);
  if (mayWait && found?.isUnlisted && found.right !== "session.bypass") return;
  assertMayGive(access, found);
}

/** Throws `forbidden` for a command that the caller may not give. `path` is the field of the request that has it. */
export function assertMayGive(access: Access, found: PromptCommand | undefined, path = "parts"): void {
  if (!found || hasRight(access, found.right)) return;
  const effect =
    found.right === "session.bypass"
      ? "can change what the agent asks about"
      : found.isUnlisted
        ? "may be a command of the agent, which has not listed its commands"
        : "is a command of the agent";
  throw lacksRight(found.right, access, { path, reason: `${found.command} ${effect}` });
}

/** Throws `forbidden` for a change after which the agent may ask less than it does now. */
export function assertMayChange(
  access: Access,
  session: AskingSession,
  wanted: Pick<UpdateSession, "mode" | "permissionMode" | "settings">,
): void {
  const { agent, state } = session;
  assertAsksNoLess(access, session, changeAsks(agent, wayOf(state), wanted));
}

/** Throws `forbidden` for an answer after which the agent may ask less than it does now. */
export function assertMayChoose(access: Access, session: AskingSession, option: AskOption): void {
  const { agent, state } = session;
  assertAsksNoLess(access, session, optionAsks(agent, wayOf(state), option));
}

function assertAsksNoLess(access: Access, session: AskingSession, after: AsksAnswer): void {
  const isNoLess = after.asItComes && asksNow(session).asItComes;
  assertAsks(access, isNoLess ? "session.unasked" : "session.bypass", after);
}

/** Throws `forbidden` for a session that does not ask from its beginning. */
export function assertMayCreate(
  access: Access,
  agent: AskingAgent,
  request: Pick<CreateSession, "mode" | "permissionMode" | "settings" | "options">,
): void {
  const { mode, permissionMode, options } = request;
  const beginning = sessionAsks(agent, { mode, permissionMode, options });
  for (const answer of [changeAsks(agent, {}, request), { path: "agent", ...beginning }]) {
    const isNothingChosen = answer.asItComes || (beginning.path === undefined && answer.path === "agent");
    // Operators may begin with an agent as it comes.
    const right = isNothingChosen && agent.capabilities.permissions ? "session.unasked" : "session.bypass";
    assertAsks(access, right, answer);
  }
}

/** Throws `forbidden` for a copy of a session that its maker could not begin, or not prompt. */
export function assertMayCopy(access: Access, { agent, state }: AskingSession): void {
  const { mode, permissionMode, chosenModes, chosen, options } = state;
  assertMayCreate(access, agent, {
    ...(chosenModes?.mode && { mode }),
    ...(chosenModes?.permissionMode && { permissionMode }),
    settings: chosen,
    options,
  });
  assertAsks(access, "session.unasked", asksNow({ agent, state }));
}

function assertAsks(access: Access, right: Right, { asks, path, reason }: AsksAnswer): void {
  if (asks !== "yes" && !hasRight(access, right)) throw lacksRight(right, access, { path, reason });
}
