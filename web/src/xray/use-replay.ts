/** Plays events at a speed: how many of them have happened by now. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { SessionEvent } from "../api/types.ts";
import { countUntil, replayTimes } from "./replay-times.ts";

export interface Replay {
  count: number;
  isPlaying: boolean;
  speed: number;
  setSpeed: (speed: number) => void;
  play: () => void;
  pause: () => void;
  /** Pauses there. */
  seek: (count: number) => void;
}

/** How often what is shown changes while it plays. */
const TICK_MS = 50;

export function useReplay(events: readonly SessionEvent[]): Replay {
  const times = useMemo(() => replayTimes(events), [events]);
  const [count, setCount] = useState(0);
  const [isPlaying, setIsPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  /** Where it is, in milliseconds of the replay at speed 1. */
  const place = useRef(0);

  useEffect(() => {
    if (!isPlaying) return;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      place.current += (now - last) * speed;
      last = now;
      const reached = countUntil(times, place.current);
      setCount(reached);
      if (reached >= times.length) setIsPlaying(false);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying, speed, times]);

  function seek(wanted: number) {
    const bounded = Math.min(Math.max(wanted, 0), events.length);
    setIsPlaying(false);
    setCount(bounded);
    place.current = times[bounded - 1] ?? 0;
  }

  return {
    count,
    isPlaying,
    speed,
    setSpeed,
    play() {
      if (count >= events.length) seek(0);
      setIsPlaying(true);
    },
    pause: () => setIsPlaying(false),
    seek,
  };
}
