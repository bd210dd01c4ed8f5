/** A small tile with the letters of an agent, in a colour of its own. Drawn here: no vendor's mark. */
import type { CSSProperties } from "react";
import { agentMonogram } from "./agent-monogram.ts";
import { classNames } from "./class-names.ts";

interface AgentIconProps {
  /** The agent's name as sessions have it: `claude`. */
  agent: string;
  /** Sets another size than 1.25rem. */
  className?: string;
}

/** Decoration beside the agent's name: screen readers pass over it. */
export function AgentIcon({ agent, className }: AgentIconProps) {
  const { letters, hue, chroma } = agentMonogram(agent);
  return (
    <svg
      viewBox="0 0 20 20"
      aria-hidden="true"
      data-agent-icon={agent}
      style={{ "--hue": hue, "--chroma": chroma } as CSSProperties}
      className={classNames("size-5 shrink-0 select-none", className)}
    >
      <rect
        width="20"
        height="20"
        rx="5.5"
        className="fill-[oklch(0.925_calc(0.06*var(--chroma))_var(--hue))] dark:fill-[oklch(0.33_calc(0.075*var(--chroma))_var(--hue))]"
      />
      <text
        x="10"
        y="10.2"
        textAnchor="middle"
        dominantBaseline="central"
        className="fill-[oklch(0.4_calc(0.13*var(--chroma))_var(--hue))] font-bold font-sans text-[0.5625rem] tracking-[-0.03em] dark:fill-[oklch(0.88_calc(0.09*var(--chroma))_var(--hue))]"
        style={{ fontSize: letters.length > 1 ? 9 : 11 }}
      >
        {letters}
      </text>
    </svg>
  );
}
