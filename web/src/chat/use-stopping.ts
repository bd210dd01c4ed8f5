/** That a turn was told to stop, until it ends: an agent may take its time. */
import { useEffect, useState } from "react";
import type { ChatMessage } from "./page-message.ts";

/** Another turn, which begins with another prompt, was not. */
export function useStopping(
  messages: readonly ChatMessage[],
  isBusy: boolean,
): readonly [boolean, (isStopping: boolean) => void] {
  const prompt = messages.findLast(({ role }) => role === "user")?.id;
  const [stopped, setStopped] = useState<{ prompt: string | undefined }>();
  useEffect(() => {
    if (!isBusy) setStopped(undefined);
  }, [isBusy]);
  const isStopping = isBusy && stopped !== undefined && stopped.prompt === prompt;
  return [isStopping, (isNow) => setStopped(isNow ? { prompt } : undefined)];
}
