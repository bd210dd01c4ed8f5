/** What the directories of all sessions are called. */
import { useMemo } from "react";
import { useFeed } from "../feed/use-feed.tsx";
import { directoryNames } from "./directory-names.ts";

export function useDirectoryNames(): ReadonlyMap<string, string> {
  const { sessions } = useFeed();
  const paths = [...new Set([...sessions.values()].map(({ cwd }) => cwd))].sort().join("\0");
  return useMemo(() => directoryNames(paths.split("\0")), [paths]);
}
