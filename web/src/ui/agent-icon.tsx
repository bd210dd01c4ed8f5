/** A small tile with the drawing of an agent in a colour of its own, or with letters where there is none. */
import type { CSSProperties } from "react";
import { agentGlyph, agentMonogram } from "./agent-monogram.ts";
import { classNames } from "./class-names.ts";

interface AgentIconProps {
  /** The agent's name as sessions have it: `claude`. */
  agent: string;
  /** Sets another size than 1.25rem. */
  className?: string;
}

const FIELD =
  "[--field:oklch(0.925_calc(0.06*var(--chroma))_var(--hue))] dark:[--field:oklch(0.33_calc(0.075*var(--chroma))_var(--hue))]";
const LINES =
  "[--lines:oklch(0.4_calc(0.13*var(--chroma))_var(--hue))] dark:[--lines:oklch(0.88_calc(0.09*var(--chroma))_var(--hue))]";

/** Decoration beside the agent's name: screen readers pass over it. */
export function AgentIcon({ agent, className }: AgentIconProps) {
  const { letters, hue, chroma } = agentMonogram(agent);
  const glyph = agentGlyph(agent);
  // The same agent by another way has the frame of its tile alone.
  const isFrame = agent.endsWith("-acp");
  return (
    <svg
      viewBox="0 0 20 20"
      aria-hidden="true"
      data-agent-icon={agent}
      style={{ "--hue": hue, "--chroma": chroma } as CSSProperties}
      className={classNames("size-5 shrink-0 select-none", FIELD, LINES, className)}
    >
      {isFrame ? (
        <rect
          x="0.75"
          y="0.75"
          width="18.5"
          height="18.5"
          rx="5"
          strokeWidth="1.5"
          className="fill-none stroke-(--field)"
        />
      ) : (
        <rect width="20" height="20" rx="5.5" className="fill-(--field)" />
      )}
      {glyph ? (
        <path
          d={glyph}
          strokeWidth="1.7"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="fill-none stroke-(--lines)"
        />
      ) : (
        <text
          x="10"
          y="10.2"
          textAnchor="middle"
          dominantBaseline="central"
          className="fill-(--lines) font-bold font-sans tracking-[-0.03em]"
          style={{ fontSize: letters.length > 1 ? 9 : 11 }}
        >
          {letters}
        </text>
      )}
    </svg>
  );
}
