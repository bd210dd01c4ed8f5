/** The usage of a period by day and one other key, read page by page. */
import { useEffect, useState } from "react";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { UsageRow } from "../api/types.ts";
import type { UsageKey } from "./usage-groups.ts";

/** Enough for years of work; more would only be slow. */
const MAX_PAGES = 20;

export interface Usage {
  rows: readonly UsageRow[];
  /** Not all of it was read. */
  isCut: boolean;
}

export interface UsageState {
  /** Undefined until it is known. What was known stays while something else is read. */
  usage: Usage | undefined;
  isLoading: boolean;
  problem: string | undefined;
}

/** `from` is a day; all days when it is absent. A new `revision` reads it again. */
export function useUsage(key: UsageKey, from: string | undefined, revision: number): UsageState {
  const [state, setState] = useState<UsageState>({ usage: undefined, isLoading: true, problem: undefined });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is a reason to read it again
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({ ...before, isLoading: true, problem: undefined }));
    readUsage(key, from, controller.signal).then(
      (usage) => setState({ usage, isLoading: false, problem: undefined }),
      (error) =>
        controller.signal.aborted ||
        setState((before) => ({ ...before, isLoading: false, problem: messageOf(error) })),
    );
    return () => controller.abort();
  }, [key, from, revision]);
  return state;
}

async function readUsage(key: UsageKey, from: string | undefined, signal: AbortSignal): Promise<Usage> {
  const rows: UsageRow[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { by: `day,${key}`, from, cursor };
    const answer = await daemon().call("GET /v1/usage", { query }, signal);
    rows.push(...answer.rows);
    cursor = answer.cursor;
    if (cursor === undefined) return { rows, isCut: false };
  }
  return { rows, isCut: true };
}
