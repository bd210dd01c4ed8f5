/** What a directory of the daemon's machine holds in directories. */
import { useEffect, useState } from "react";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { DirectoryList } from "../api/types.ts";

export interface DirectoryQuery {
  /** The roots when absent. */
  path?: string;
  /** Those with this in their names, also further below. */
  search?: string;
}

export interface DirectoryListState {
  /** Undefined until it is loaded. */
  list: DirectoryList | undefined;
  isLoading: boolean;
  problem: string | undefined;
}

interface Loaded {
  /** Of which directory. */
  path: string | undefined;
  search: string | undefined;
  list?: DirectoryList;
  problem?: string;
}

/** Whoever types on does not want what the first letters give. */
const SETTLE_MS = 120;
/** Of what is found by its name; more is found by a longer one. */
const MAX_FOUND = 100;

/** Nothing is asked for while `query` is undefined. */
export function useDirectoryList(query: DirectoryQuery | undefined): DirectoryListState {
  const [loaded, setLoaded] = useState<Loaded>();
  const [isLoading, setIsLoading] = useState(false);
  const isWanted = query !== undefined;
  const { path, search } = query ?? {};
  useEffect(() => {
    if (!isWanted) return;
    const controller = new AbortController();
    setIsLoading(true);
    const wanted = { ...(path && { path }), ...(search && { search, limit: MAX_FOUND }) };
    const load = () =>
      daemon()
        .call("GET /v1/directories", { query: wanted }, controller.signal)
        .then(
          (list) => setLoaded({ path, search, list }),
          (error) => controller.signal.aborted || setLoaded({ path, search, problem: messageOf(error) }),
        )
        .finally(() => controller.signal.aborted || setIsLoading(false));
    const timer = setTimeout(load, search ? SETTLE_MS : 0);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isWanted, path, search]);
  // What another directory holds is not to be picked here.
  const isCurrent = loaded !== undefined && loaded.path === path;
  return {
    list: isCurrent ? loaded.list : undefined,
    isLoading: isLoading || (isWanted && !(isCurrent && loaded.search === search)),
    problem: isCurrent ? loaded.problem : undefined,
  };
}
