/** One line about the selected agent: its version, or what is missing and how to get it. */
import { useAccess } from "../access/use-access.tsx";
import { Button } from "../ui/button.tsx";
import { needsProgram } from "./needs-program.ts";
import type { AgentStatusView } from "./use-agent-status.ts";

export function AgentStatus({ agent, progress, problem, install }: AgentStatusView) {
  const canInstall = useAccess().can("agent.install");
  const status = agent?.status;
  if (progress) {
    const percent = progress.part === undefined ? undefined : Math.round(progress.part * 100);
    return (
      <div role="status" className="text-muted-foreground text-xs">
        <p>Installing {percent === undefined ? "…" : `… ${percent} %`}</p>
        <progress
          className="mt-1 h-1 w-full accent-primary"
          {...(percent !== undefined && { value: percent, max: 100 })}
        />
      </div>
    );
  }
  if (problem) {
    return (
      <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger-text text-xs">
        {problem}
      </p>
    );
  }
  if (!status) return null;
  if (needsProgram(status)) {
    return (
      <div className="flex items-center justify-between gap-3 rounded-md border border-dashed px-3 py-2 text-xs">
        <span className="text-muted-foreground">{status.remedy ?? "This agent is not installed."}</span>
        {agent.installable && canInstall && (
          <Button size="small" onClick={install}>
            Install {agent.installable}
          </Button>
        )}
      </div>
    );
  }
  const isReady = status.signedIn !== false;
  return (
    <p className="text-muted-foreground text-xs">
      {status.version && `Version ${status.version}. `}
      {!isReady && (status.remedy ?? "It is not signed in.")}
    </p>
  );
}
