/** What the agent may do without asking: by its mode, and by what a person has allowed for good. */
import { resolve } from "node:path";
import type { WireOption, WirePermissions } from "../wire.ts";
import type { LoopTool } from "./loop-tool.ts";

export type Verdict = "allowed" | "ask" | "refused";

/** What needs no person in a mode. */
const FREE: Readonly<Record<WirePermissions, readonly LoopTool["permission"][]>> = {
  default: ["none"],
  plan: ["none"],
  acceptEdits: ["none", "edit"],
  bypass: ["none", "edit", "execute", "fetch"],
};

export class Permissions {
  /** As `covers` of the ask says them, so that the log remembers them too. */
  readonly #rules = new Set<string>();
  readonly #cwd: string;

  /** `cwd` is the session's directory. */
  constructor(rules: readonly string[], cwd: string) {
    this.#cwd = cwd;
    this.add(rules);
  }

  add(rules: readonly string[]): void {
    for (const rule of rules) this.#rules.add(rule);
  }

  /** Only these hold from now on. */
  replace(rules: readonly string[]): void {
    this.#rules.clear();
    this.add(rules);
  }

  judge(mode: WirePermissions, tool: LoopTool, input: unknown): Verdict {
    if (FREE[mode].includes(tool.permission)) return "allowed";
    if (mode === "plan") return "refused";
    const rule = ruleFor(tool, input, this.#cwd);
    return rule !== undefined && this.#rules.has(rule) ? "allowed" : "ask";
  }

  /** The answers a person can choose from. */
  optionsFor(tool: LoopTool, input: unknown): WireOption[] {
    const rule = ruleFor(tool, input, this.#cwd);
    const always: WireOption[] =
      rule === undefined
        ? []
        : [{ id: "allow-always", label: `Always allow ${coverage(tool)}`, effect: "always", covers: [rule] }];
    return [
      { id: "allow", label: "Allow", effect: "once" },
      ...always,
      { id: "reject", label: "Reject", effect: "reject" },
    ];
  }
}

/**
 * What "always" would allow: the tool, or of commands the very same one. Which part of a command could vary without harm
 * cannot be told from its words: most programs can be made to run others. What works on files is allowed in its directory
 * only, which is named in full: a fork of the session may work in another one. Undefined for a command with variables of
 * its own, which is asked for each time.
 */
function ruleFor(tool: LoopTool, input: unknown, cwd: string): string | undefined {
  if (tool.permission === "edit") return `${tool.name} in ${JSON.stringify(cwd)}`;
  if (tool.kind !== "execute") return tool.name;
  const { command, cwd: place = ".", env = {} } = input as CommandInput;
  if (Object.keys(env).length > 0) return undefined;
  return `${tool.name} in ${JSON.stringify(resolve(cwd, place))}: ${command}`;
}

interface CommandInput {
  readonly command: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A rule in words, without what may be long. */
function coverage({ kind, name, permission }: LoopTool): string {
  if (kind === "execute") return "exactly this command";
  if (permission === "edit") return `${name} for all files here`;
  return permission === "fetch" ? `${name} for all of the web` : `${name} with any input`;
}
