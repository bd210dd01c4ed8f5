/** How long something can still be done: a ring that runs down, or a number for whoever asks for no motion. */
import { useEffect, useState } from "react";
import { useMedia } from "./use-media.ts";

/** Its circumference is 100 to within a thousandth. */
const RADIUS = 15.915;

export function Countdown({ ms }: { ms: number }) {
  const isStill = useMedia("(prefers-reduced-motion: reduce)");
  return isStill ? <Seconds ms={ms} /> : <Ring ms={ms} />;
}

function Ring({ ms }: { ms: number }) {
  return (
    <svg data-countdown="ring" aria-hidden="true" viewBox="0 0 36 36" className="-rotate-90">
      <circle cx="18" cy="18" r={RADIUS} fill="none" strokeWidth="4" className="stroke-border" />
      <circle
        cx="18"
        cy="18"
        r={RADIUS}
        fill="none"
        strokeWidth="4"
        strokeDasharray="100"
        className="animate-[run-down_linear_forwards] stroke-current"
        style={{ animationDuration: `${ms}ms` }}
      />
    </svg>
  );
}

function Seconds({ ms }: { ms: number }) {
  const [left, setLeft] = useState(Math.ceil(ms / 1000));
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span data-countdown="number" aria-hidden="true" className="min-w-4 text-right tabular-nums">
      {left}
    </span>
  );
}
