/** Values of Amp mapped to ours. */
import type { TurnError } from "../../core/event.ts";
import { type FailingAgent, type ModelFailure, modelFailure } from "../transport/model-failure.ts";

const TOOL_KINDS: Readonly<Record<string, string>> = {
  Bash: "execute",
  Read: "read",
  read_mcp_resource: "read",
  read_thread: "read",
  look_at: "read",
  create_file: "edit",
  edit_file: "edit",
  undo_edit: "edit",
  glob: "search",
  Grep: "search",
  finder: "search",
  find_thread: "search",
  librarian: "search",
  oracle: "think",
  read_web_page: "fetch",
  web_search: "fetch",
  Task: "agent",
  task_list: "plan",
  todo_read: "plan",
  todo_write: "plan",
};

/** Undefined for tools of MCP servers and toolboxes. */
export function toolKind(tool: string): string | undefined {
  return TOOL_KINDS[tool];
}

/** Modes were renamed in 2026. What comes first in a row is the name of today. */
const MODES: readonly (readonly string[])[] = [
  ["low", "rush", "free"],
  ["medium", "smart"],
  ["high", "deep"],
  ["ultra", "large", "deep"],
];

/** The wanted mode as this program calls it; undefined when it has nothing like it. */
export function nativeMode(wanted: string, offered: readonly string[]): string | undefined {
  if (offered.includes(wanted)) return wanted;
  for (const names of MODES) {
    if (!names.includes(wanted)) continue;
    const name = names.find((candidate) => offered.includes(candidate));
    if (name !== undefined) return name;
  }
  return undefined;
}

/** @param program How the program is called in a terminal. */
function amp(program = "amp"): FailingAgent {
  return {
    title: "Amp",
    signIn: `Run \`${program} login\` in a terminal, or set AMP_API_KEY in the daemon's environment or in the session's env.`,
  };
}

export function notSignedIn(program: string | undefined): string {
  return `Nobody is signed in to Amp. ${amp(program).signIn}`;
}

/** Without a key Amp opens a browser and waits forever. */
export function isLoginPrompt(text: string): boolean {
  return /No API key found|Starting login flow/i.test(text);
}

const CANCELLED = /User cancelled/;

interface Explanation {
  readonly said: RegExp;
  readonly code: string;
  readonly message: string;
}

const EXPLANATIONS: readonly Explanation[] = [
  {
    said: /require user approval, which is not supported/,
    code: "permission_required",
    message:
      "Amp wanted to ask for permission, which it cannot do here. Allow the tool with `amp permissions add`, or choose the permission mode bypass.",
  },
];

/** Undefined for a stop. */
export function turnError(said: string, program: string | undefined): TurnError | undefined {
  if (CANCELLED.test(said)) return undefined;
  const known = EXPLANATIONS.find((explanation) => explanation.said.test(said));
  if (known) return { code: known.code, message: `${known.message} It said: ${said}` };
  return modelFailure(failureIn(said), amp(program)) ?? { code: "agent_error", message: said };
}

/** A key is missing only where it asks for one; the rest is the answer of the model's service as it came. */
function failureIn(said: string): ModelFailure {
  if (/Invalid or missing API key/.test(said)) return { code: "authentication_failed", said };
  const [, status, body] = /^(\d{3}) (\{.*\})$/s.exec(said) ?? [];
  return status === undefined ? { said } : { status: Number(status), said: messageIn(body) ?? said };
}

function messageIn(body = ""): string | undefined {
  try {
    const { error, message } = JSON.parse(body);
    const text: unknown = error?.message ?? message;
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The flag in `unknown option '--bogus'`. */
export function unknownFlag(stderr: string): string | undefined {
  return /unknown option '(--[\w-]+)'/.exec(stderr)?.[1];
}
