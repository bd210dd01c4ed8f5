/** Which forks go by the title of their origin, for all titles on the page. */
import { createContext, type ReactNode, useContext, useMemo, useRef } from "react";
import { useFeed } from "../feed/use-feed.tsx";
import { type ForkNumbers, forkNumbers } from "./fork-numbers.ts";

const ForkNumbersContext = createContext<ForkNumbers>(new Map());

export function ForkNumbersProvider({ children }: { children: ReactNode }) {
  const { sessions } = useFeed();
  const latest = useRef<ForkNumbers>(new Map());
  const numbers = useMemo(() => {
    const next = forkNumbers(sessions);
    // The feed changes all the time: rows are drawn again only for another number.
    if (!isSame(latest.current, next)) latest.current = next;
    return latest.current;
  }, [sessions]);
  return <ForkNumbersContext value={numbers}>{children}</ForkNumbersContext>;
}

/** Undefined for a session that has its own title, or is no fork. */
export function useForkNumber(session: string): number | undefined {
  return useContext(ForkNumbersContext).get(session);
}

function isSame(a: ForkNumbers, b: ForkNumbers): boolean {
  return a.size === b.size && [...a].every(([id, number]) => b.get(id) === number);
}
