/** What a directory of the daemon's machine holds in directories. */
import { useEffect, useState } from "react";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { DirectoryList } from "../api/types.ts";

export interface DirectoryQuery {
  /** The roots when absent. */
  path?: string;
  /** Only those with this in their names. */
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
  list?: DirectoryList;
  problem?: string;
}

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
    const wanted = { ...(path && { path }), ...(search && { search }) };
    daemon()
      .call("GET /v1/directories", { query: wanted }, controller.signal)
      .then(
        (list) => setLoaded({ path, list }),
        (error) => controller.signal.aborted || setLoaded({ path, problem: messageOf(error) }),
      )
      .finally(() => controller.signal.aborted || setIsLoading(false));
    return () => controller.abort();
  }, [isWanted, path, search]);
  // What another directory holds is not to be picked here.
  const isCurrent = loaded !== undefined && loaded.path === path;
  return {
    list: isCurrent ? loaded.list : undefined,
    isLoading: isLoading || (isWanted && !isCurrent),
    problem: isCurrent ? loaded.problem : undefined,
  };
}
