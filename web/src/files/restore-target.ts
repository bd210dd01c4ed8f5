/** What a person wants to go back to, and how the daemon is asked for it. */
import { InterlinguaError } from "../../../src/sdk/error.ts";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { Restored } from "../api/types.ts";

export interface RestoreTarget {
  /** Absent: to what was accepted last. */
  checkpoint?: string;
  /** The question, as the title of the dialog. */
  title: string;
  /** Whether it brings back what was undone. */
  isRedo?: boolean;
  /** Only these. */
  paths?: string[];
  /** Whether prompts were given since, so that the conversation can go back too. */
  hasPrompts?: boolean;
}

export type OnConflict = "refuse" | "keep" | "merge" | "overwrite";

export interface RestoreChoice {
  onConflict: OnConflict;
  conversation: boolean;
}

export function requestRestore(
  session: string,
  { checkpoint, paths }: RestoreTarget,
  choice: RestoreChoice & ({ preview: true } | { expect?: string }),
  signal?: AbortSignal,
): Promise<Restored> {
  const params = { id: session };
  const body = { paths, ...choice };
  return checkpoint === undefined
    ? daemon().call("POST /v1/sessions/{id}/reset", { params, body }, signal)
    : daemon().call("POST /v1/sessions/{id}/restore", { params, body: { checkpoint, ...body } }, signal);
}

/** Why files cannot go back, in words of the page. */
export function restoreProblem(error: unknown): string {
  if (InterlinguaError.is(error, "workspace_busy"))
    return "An agent works in this directory, or waits for an answer. Stop it, or wait until its turn has ended.";
  return messageOf(error);
}
