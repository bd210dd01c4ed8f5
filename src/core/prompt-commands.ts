/** Which slash command a prompt is, and the right it needs. What commands do is known from reviewed lists only. */
import type { AskingRules } from "./asks-permission.ts";
import type { PromptPart } from "./prompt-part.ts";

/** Harmless; changes how the agent works; can change whether it asks, or bring it programs. */
export type CommandRight = "session.prompt" | "session.settings" | "session.bypass";

export interface PromptCommand {
  /** With its slash, as it was found: `/extensions install`. */
  readonly command: string;
  readonly right: CommandRight;
  /** The agent has not listed its commands yet. With the list the answer may be another one. */
  readonly isUnlisted?: true;
}

export interface OfferedCommands {
  /** As the agent reported them; undefined before it has. */
  readonly offered?: readonly { readonly name: string; readonly description?: string }[];
  readonly asking?: Pick<AskingRules, "commands">;
  /** Whether the agent has slash commands at all. */
  readonly hasCommands: boolean;
}

/** Names of commands that change approval or bring programs, for offered commands nobody has reviewed. */
const BYPASS_NAMES =
  /^(?:approvals?|approval-mode|config|extensions?|hooks?|mode|permissions?|plugins?|sandbox|settings|trust)$/;

const BYPASS_WORDS =
  /allow-?all|always-?approve|auto-?approve|auto-?pilot|bypass|yolo|unsafe|danger|permission/i;

const RANKS: readonly CommandRight[] = ["session.prompt", "session.settings", "session.bypass"];

/**
 * The command of a prompt that needs the most, or undefined for a prompt that is none. Agents trim what they get and put parts
 * together, so each text counts, and all of them as one.
 *
 * @example
 * const parts = [{ type: "text" as const, text: " /yolo on" }];
 * const asking = { commands: { yolo: "session.bypass" as const } };
 * findCommand(parts, { asking, hasCommands: true });
 * // => { command: "/yolo", right: "session.bypass" }
 */
export function findCommand(parts: readonly PromptPart[], known: OfferedCommands): PromptCommand | undefined {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  if (texts.length > 1) texts.push(texts.join(""));
  let found: PromptCommand | undefined;
  for (const command of texts.flatMap((text) => commandsOf(text, known)))
    if (RANKS.indexOf(command.right) > (found ? RANKS.indexOf(found.right) : -1)) found = command;
  return found;
}

/** No agent has a longer name. */
const MAX_NAME = 256;

/** Blanks, and characters that nobody sees. Agents differ in which of them they trim, drop and split at. */
const BLANKS = /[\s\p{C}]+/u;

/** The commands that agents may read at the start of a text. Some agents drop invisible characters, others end a name there. */
function commandsOf(text: string, known: OfferedCommands): PromptCommand[] {
  if (!known.hasCommands && !known.offered?.length) return [];
  const start = text.search(/[^\s\p{C}]/u);
  if (start < 0 || (text[start] !== "/" && text[start] !== "$")) return [];
  const head = text.slice(start);
  return [head, head.replaceAll(/(?!\s)\p{C}/gu, "")].flatMap((each) => commandOf(each, known) ?? []);
}

function commandOf(head: string, known: OfferedCommands): PromptCommand | undefined {
  const slash = head.startsWith("/") ? "/" : "";
  const [first = "", second = ""] = head
    .slice(slash.length)
    .replace(/^[\s\p{C}]+/u, "")
    .split(BLANKS, 2)
    .map((word) => word.slice(0, MAX_NAME).toLowerCase());
  // The argument may follow at once: "/mode:auto".
  for (const name of [first, first.split(/[:=]/u, 1)[0]!]) {
    const right = offeredRight(name, second, known) ?? reviewedRight(name, second, known);
    if (right) return { ...right, command: `${slash}${right.command}` };
  }
  // Before the agent lists its commands, any name may be one.
  if (known.offered !== undefined || !/^\$?[\p{L}\p{N}_]/u.test(first)) return undefined;
  return { command: `${slash}${first}`, right: "session.settings", isUnlisted: true };
}

/** The right for a command that the agent offers. */
function offeredRight(name: string, second: string, known: OfferedCommands): PromptCommand | undefined {
  const offered = known.offered?.find((command) => command.name.toLowerCase() === name);
  if (!offered) return undefined;
  const reviewed = reviewedCommand(name, second, known);
  const isTakenOver = reviewed?.right === "session.prompt" && FROM_FILES.test(offered.description ?? "");
  if (reviewed && !isTakenOver) return reviewed;
  return { command: name, right: unreviewedRight(name, offered.description) };
}

/** Claude Code ends the descriptions of commands from files with their origin. */
const FROM_FILES = /\((?:user|project|local|plugin)\b[^()]*\)\s*$/;

/** The right for a reviewed command that is not offered. Agents accept some commands that they do not list. */
function reviewedRight(name: string, second: string, known: OfferedCommands): PromptCommand | undefined {
  const reviewed = reviewedCommand(name, second, known);
  if (!reviewed) return undefined;
  if (known.offered === undefined) return { ...reviewed, isUnlisted: true };
  return known.asking?.commands?.[name] === "session.bypass" ? reviewed : undefined;
}

function reviewedCommand(
  name: string,
  second: string,
  { asking }: OfferedCommands,
): PromptCommand | undefined {
  const reviewed = new Map(Object.entries(asking?.commands ?? {}));
  const command = [`${name} ${second}`, name].find((each) => reviewed.has(each));
  return command === undefined ? undefined : { command, right: reviewed.get(command)! };
}

function unreviewedRight(name: string, description = ""): CommandRight {
  const isBypass = BYPASS_NAMES.test(name) || BYPASS_WORDS.test(name) || BYPASS_WORDS.test(description);
  return isBypass ? "session.bypass" : "session.settings";
}
