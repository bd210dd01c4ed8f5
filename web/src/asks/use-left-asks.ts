/** The asks of a list, and for a while those that left it without an answer from here. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Ask } from "../api/types.ts";

export interface LeftAsks {
  /** All of them, the oldest first. */
  shown: readonly Ask[];
  hasLeft: (ask: Ask) => boolean;
  /** Answered here: it may go at once. */
  onAnswered: (ask: Ask) => void;
  /** It was told what became of it. */
  forget: (ask: Ask) => void;
}

/** Beyond these nobody reads them. */
const MAX_LEFT = 20;

export function useLeftAsks(asks: readonly Ask[]): LeftAsks {
  const [left, setLeft] = useState<ReadonlyMap<string, Ask>>(new Map());
  const before = useRef(asks);
  const answered = useRef(new Set<string>());
  useEffect(() => {
    const open = new Set(asks.map(keyOf));
    const gone = before.current.filter((ask) => !open.has(keyOf(ask)) && !answered.current.has(keyOf(ask)));
    before.current = asks;
    setLeft((known) => {
      const still = [...known, ...gone.map((ask) => [keyOf(ask), ask] as const)];
      return new Map(still.filter(([key]) => !open.has(key)).slice(-MAX_LEFT));
    });
  }, [asks]);
  const forget = useCallback((ask: Ask) => {
    setLeft((known) => new Map([...known].filter(([key]) => key !== keyOf(ask))));
  }, []);
  return {
    shown: left.size === 0 ? asks : [...asks, ...left.values()].sort((a, b) => a.at - b.at),
    hasLeft: (ask) => left.has(keyOf(ask)),
    onAnswered: (ask) => answered.current.add(keyOf(ask)),
    forget,
  };
}

function keyOf({ session, ask }: Ask): string {
  return `${session} ${ask}`;
}
