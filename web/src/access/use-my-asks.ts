/** The open asks that this person may answer. */
import { useMemo } from "react";
import type { Ask } from "../api/types.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { useAccess } from "./use-access.tsx";

export function useMyAsks(): readonly Ask[] {
  const { asks } = useFeed();
  const { canAnswer } = useAccess();
  return useMemo(() => asks.filter(({ kind }) => canAnswer(kind)), [asks, canAnswer]);
}
