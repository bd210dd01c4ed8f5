/** What the agent may do without asking: by its mode, and by what a person has allowed for good. */
import { basename } from "node:path";
import type { WirePermissions } from "../wire.ts";
import type { LoopTool } from "./loop-tool.ts";

export type Verdict = "allowed" | "ask" | "refused";

/** What needs no person in a mode. */
const FREE: Readonly<Record<WirePermissions, readonly LoopTool["permission"][]>> = {
  default: ["none"],
  plan: ["none"],
  acceptEdits: ["none", "edit"],
  bypass: ["none", "edit", "execute", "fetch"],
};

/** Programs whose first argument says what they do. */
const PROGRAMS_WITH_COMMANDS = new Set([
  ...["git", "npm", "pnpm", "yarn", "bun", "deno", "cargo", "go", "docker", "kubectl", "gh"],
  ...["pip", "poetry", "uv", "dotnet", "gradle", "mvn", "terraform"],
]);

/** Programs that run whatever they are given: allowing one with any arguments would allow everything. */
const PROGRAMS_THAT_RUN_OTHERS = new Set([
  ...["sh", "bash", "zsh", "fish", "dash", "env", "sudo", "su", "doas", "xargs", "nohup", "nice", "time"],
  ...["timeout", "exec", "eval", "command", "npx", "bunx", "uvx", "ssh", "watch", "setsid", "stdbuf"],
  ...["node", "python", "python3", "perl", "ruby", "php", "find", "awk", "make"],
]);

/** With one of these a command is more than one program with its arguments. */
const SHELL_SYNTAX = /[;&|<>`$(){}\n\r\\]/;

export class Permissions {
  /** As `covers` of the ask says them, so that the log remembers them too. */
  readonly #rules = new Set<string>();

  constructor(rules: readonly string[]) {
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
    return rulesFor(tool, input).some((rule) => this.#rules.has(rule)) ? "allowed" : "ask";
  }
}

/** What "always" would allow. */
export function rulesFor(tool: LoopTool, input: unknown): string[] {
  // A command's title is all of it, with the variables it sets.
  return [tool.kind === "execute" ? `${tool.name}: ${coveredCommand(tool.title(input))}` : tool.name];
}

/** `npm test *` for one that only runs a program; a command with more to it is covered as it stands. */
function coveredCommand(command: string): string {
  const words = command.trim().split(/\s+/);
  const [program = "", argument = ""] = words;
  if (SHELL_SYNTAX.test(command) || PROGRAMS_THAT_RUN_OTHERS.has(basename(program))) return command.trim();
  if (program === "" || program.includes("=")) return command.trim();
  if (!PROGRAMS_WITH_COMMANDS.has(program)) return `${program} *`;
  return /^[a-z][\w:-]*$/i.test(argument) ? `${program} ${argument} *` : command.trim();
}
