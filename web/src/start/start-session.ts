/** Makes a session and sends its first prompt. */
import { InterlinguaError } from "../../../src/sdk/error.ts";
import { daemon } from "../api/client.ts";
import type { PromptPart } from "../api/types.ts";
import { promptTitle } from "../sessions/prompt-title.ts";
import type { StartSettings } from "./start-settings.tsx";
import type { WarmSession } from "./warm-session.ts";

export interface StartOptions {
  agent: string;
  /** Where the daemon begins when absent. */
  cwd: string | undefined;
  /** In a git worktree of its own. */
  isApart: boolean;
  settings: StartSettings;
  parts: PromptPart[];
  warm: WarmSession;
}

/** The prompt was not taken, but the session is there. */
export class UnsentPrompt extends Error {
  readonly session: string;

  constructor(session: string, cause: unknown) {
    super("the prompt was not sent", { cause });
    this.session = session;
  }
}

/** The id of the session. Rejects with `UnsentPrompt` when there is a session without its prompt. */
export async function startSession({
  agent,
  cwd,
  isApart,
  settings,
  parts,
  warm,
}: StartOptions): Promise<string> {
  const text = parts.find((part) => part.type === "text")?.text;
  const title = text && promptTitle(text);
  const wishes = { ...settings, ...(title && { title }) };
  const started = isApart || cwd === undefined ? undefined : await warm.take({ agent, cwd });
  const session =
    (started !== undefined && (await prepare(started, wishes))) ||
    (
      await daemon().call("POST /v1/sessions", {
        body: { agent, ...(cwd !== undefined && { cwd }), ...(isApart && { worktree: true }), ...wishes },
      })
    ).id;
  try {
    await daemon().call("POST /v1/sessions/{id}/messages", { params: { id: session }, body: { parts } });
  } catch (error) {
    throw new UnsentPrompt(session, error);
  }
  return session;
}

/** The session as it is wanted; undefined where it is gone, since another tab may have taken it for left behind. */
async function prepare(id: string, body: object): Promise<string | undefined> {
  try {
    await daemon().call("PATCH /v1/sessions/{id}", { params: { id }, body });
    return id;
  } catch (error) {
    if (InterlinguaError.is(error, "session_not_found")) return undefined;
    throw new UnsentPrompt(id, error);
  }
}
