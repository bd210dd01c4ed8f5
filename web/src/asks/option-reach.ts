/** What an option that lasts covers and where it is kept, as a person reads it. Pure. */
import { SHELL } from "../../../src/core/shell-command.ts";
import type { AskOption } from "../api/types.ts";
import { PERMISSION_NAMES } from "../shell/permission-names.ts";

export interface OptionReach {
  label: string;
  /** In the agent's own words, where the label has others. */
  said?: string;
  /** As the agent puts it; relative to where it works. */
  covers: readonly string[];
  /** In words: where it is kept, that it ends the turn. */
  notes: readonly string[];
}

const KEPT: Readonly<Record<string, string>> = {
  session: "Until this session ends",
  userSettings: "Kept in your own settings, for all projects",
  projectSettings: "Kept in the settings of this project, for everybody",
  localSettings: "Kept in your settings for this project",
  cliArg: "Until this session ends",
};

/** Whole tools, by the names that agents give them: a rule of just such a name covers far more than what is asked. */
const WHOLE_TOOLS: readonly [RegExp, string][] = [
  [/^(?:run_?command|bash|shell|execute|exec|terminal)$/i, "Every command, not just this one"],
  [
    /^(?:write|edit|multi_?edit|write_?file|edit_?file|create_?file|apply_?patch|patch)$/i,
    "Every change of a file, not just this one",
  ],
  [/^(?:read|read_?file)$/i, "To read any file, not just this one"],
  [/^(?:web_?fetch|fetch|web_?search)$/i, "Everything from the web, not just this"],
];

const GIVEN_TO_SHELL = new RegExp(`^${SHELL} -l?c (.*)$`, "s");

/** `command` is the one the card shows: a rule for just that is not shown again. */
export function optionReach(
  option: AskOption,
  { command, cwd }: { command?: string; cwd?: string },
): OptionReach {
  const { label, covers = [], storedIn, stops, description } = option;
  const mode = covers.length === 1 ? PERMISSION_NAMES[covers[0]!] : undefined;
  const whole = covers.length === 1 ? WHOLE_TOOLS.find(([names]) => names.test(covers[0]!))?.[1] : undefined;
  const isExact = command !== undefined && covers.length === 1 && isOnlyCommand(covers[0]!, command);
  return {
    label: whole ?? (mode === undefined ? label : mode === "Allow edits" ? "Allow all edits" : mode),
    ...(whole !== undefined && { said: `${label}: ${covers[0]}` }),
    covers:
      whole !== undefined || mode !== undefined || isExact ? [] : covers.map((cover) => relative(cover, cwd)),
    notes: [
      ...(description ? [description] : []),
      ...(isExact ? ["Exactly this command"] : []),
      ...(storedIn === undefined || isSaid(whole ?? label, storedIn)
        ? []
        : [KEPT[storedIn] ?? `Kept in ${relative(storedIn, cwd)}`]),
      ...(stops ? ["Ends the turn"] : []),
    ],
  };
}

/** "Allow for this session" needs no further word. */
function isSaid(label: string, storedIn: string): boolean {
  return storedIn === "session" && /session/i.test(label);
}

/** `Bash(npm test)`, `/bin/bash -lc npm test`. */
function isOnlyCommand(cover: string, command: string): boolean {
  const rule = /^\w+\((.*)\)$/s.exec(cover)?.[1] ?? GIVEN_TO_SHELL.exec(cover)?.[1] ?? cover;
  return rule.trim() === command.trim();
}

function relative(text: string, cwd: string | undefined): string {
  if (cwd === undefined || cwd === "/") return text;
  if (text === cwd) return "this directory";
  return text.replaceAll(`${cwd}/`, "");
}
