/** Makes a session and sends its first prompt. */
import { generateId } from "ai";
import { InterlinguaError } from "../../../src/sdk/error.ts";
import { daemon } from "../api/client.ts";
import type { PromptPart } from "../api/types.ts";
import { addUnanswered, removeUnanswered, setSending } from "../compose/kept-prompts.ts";
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

/** The session is there, and keeps the prompt as unanswered: its conversation finds out whether the daemon has it. */
export class UnansweredStart extends Error {
  readonly session: string;

  constructor(session: string, cause: unknown) {
    super("the prompt was not answered", { cause });
    this.session = session;
  }
}

/** The id of the session. Rejects with `UnansweredStart` when there is one of which nobody knows whether it has its prompt. */
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
    (started !== undefined && (await prepare(started, wishes, parts))) ||
    (
      await daemon().call("POST /v1/sessions", {
        body: { agent, ...(cwd !== undefined && { cwd }), ...(isApart && { worktree: true }), ...wishes },
      })
    ).id;
  await sendFirst(session, parts);
  return session;
}

async function sendFirst(session: string, parts: PromptPart[]): Promise<void> {
  const id = keepFirst(session, parts);
  setSending(id, true);
  try {
    await daemon().call("POST /v1/sessions/{id}/messages", { params: { id: session }, body: { id, parts } });
    removeUnanswered(session, id);
  } catch (error) {
    throw new UnansweredStart(session, error);
  } finally {
    setSending(id, false);
  }
}

/** Whatever becomes of the request, the session has the prompt. Returns its id. */
function keepFirst(session: string, parts: PromptPart[]): string {
  const id = generateId();
  addUnanswered(session, { id, parts });
  return id;
}

/** The session as it is wanted; undefined where it is gone, since another tab may have taken it for left behind. */
async function prepare(id: string, body: object, parts: PromptPart[]): Promise<string | undefined> {
  try {
    await daemon().call("PATCH /v1/sessions/{id}", { params: { id }, body });
    return id;
  } catch (error) {
    if (InterlinguaError.is(error, "session_not_found")) return undefined;
    keepFirst(id, parts);
    throw new UnansweredStart(id, error);
  }
}
