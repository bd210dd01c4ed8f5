/** Agents whose costs are no real money, such as the mock. */
import { createContext, useCallback } from "react";
import { useAgents } from "./use-agents.tsx";

/** Whether the costs of the conversation around are play money. */
export const PlayMoney = createContext(false);

/** @example const hasPlayMoney = useHasPlayMoney(); hasPlayMoney("mock") // true */
export function useHasPlayMoney(): (agent: string) => boolean {
  const list = useAgents();
  return useCallback(
    (agent: string) => list?.agents.find(({ name }) => name === agent)?.capabilities.playMoney === true,
    [list],
  );
}
