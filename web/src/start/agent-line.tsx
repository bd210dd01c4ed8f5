/** One line about the chosen agent below the field: what it still needs, what it does now, and what to know about it. */
import { Download, LogIn, RefreshCw, ShieldAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useAccess } from "../access/use-access.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { readinessOf } from "./group-agents.ts";
import type { AgentStatusView } from "./use-agent-status.ts";
import type { WarmState } from "./warm-session.ts";

interface AgentLineProps {
  title: string;
  status: AgentStatusView;
  warm: WarmState | undefined;
  isBypassing: boolean;
}

export function AgentLine({ title, status, warm, isBypassing }: AgentLineProps) {
  const canInstall = useAccess().can("agent.install");
  const { agent, progress, problem, install } = status;
  if (progress) return <Installing title={title} part={progress.part} />;
  if (problem) {
    return (
      <Line
        icon={<TriangleAlert />}
        isAlert
        action={
          <Button size="small" onClick={install}>
            Try again
          </Button>
        }
      >
        {`${title} was not installed. ${problem}`}
      </Line>
    );
  }
  const readiness = agent && readinessOf(agent);
  if (readiness === "missing") {
    const canBeInstalled = agent?.installable !== undefined && canInstall;
    return (
      <Line
        icon={<Download />}
        action={
          canBeInstalled && (
            <Button size="small" onClick={install}>
              Install {agent.installable}
            </Button>
          )
        }
      >
        {(!canBeInstalled && agent?.status?.remedy) || `${title} is not installed.`}
      </Line>
    );
  }
  if (readiness === "signed-out") return <SignIn title={title} status={status} />;
  if (warm?.phase === "failed")
    return <Line icon={<TriangleAlert />} isAlert>{`${title} did not start. ${warm.problem ?? ""}`}</Line>;
  if (isBypassing)
    return (
      <Line icon={<ShieldAlert />} isWarning>
        {title} will change files and run commands without asking you.
      </Line>
    );
  if (warm?.phase === "starting") return <Line icon={<Spinner label="Starting" />}>{title} is starting</Line>;
  if (warm?.phase === "ready") return <Line icon={<ReadyDot />}>{title} is ready</Line>;
  return <div className="min-h-7 max-md:hidden" />;
}

/** What to do elsewhere, and the way on from there. */
function SignIn({ title, status: { agent, check, isChecking } }: { title: string; status: AgentStatusView }) {
  const remedy = agent?.status?.remedy?.replace(/^Nobody is signed in\. /, "");
  return (
    <div
      role="status"
      className="flex flex-wrap items-end gap-x-4 gap-y-2 rounded-xl border bg-raised px-3.5 py-3 text-xs leading-6"
    >
      <div className="min-w-60 flex-1">
        <p className="flex items-center gap-2 font-medium text-[0.8125rem]">
          <LogIn aria-hidden="true" className="size-3.5 shrink-0 text-waiting-text" />
          {title} needs you to sign in
        </p>
        <div className="mt-1 text-soft [overflow-wrap:anywhere]">
          {remedy === undefined ? "Sign in with its own program." : <RemedyText text={remedy} />}
          {/* A command works at once, an environment with the next start. */}
          {remedy !== undefined && !remedy.includes("`") && " Then start Interlingua again."}
        </div>
      </div>
      <Button size="small" disabled={isChecking} onClick={check}>
        {isChecking ? <Spinner label="Looking" /> : <RefreshCw aria-hidden="true" />} Check again
      </Button>
    </div>
  );
}

function Installing({ title, part }: { title: string; part: number | undefined }) {
  const percent = part === undefined ? undefined : Math.round(part * 100);
  return (
    <div role="status" className="px-1 text-muted-foreground text-xs">
      <p className="flex justify-between">
        <span>Installing {title}</span>
        {percent !== undefined && <span className="tabular-nums">{percent} %</span>}
      </p>
      <progress
        aria-label={`Installing ${title}`}
        className="mt-1.5 block h-1.5 w-full overflow-hidden rounded-full accent-primary [&::-webkit-progress-bar]:bg-muted [&::-webkit-progress-value]:bg-primary"
        {...(percent !== undefined && { value: percent, max: 100 })}
      />
    </div>
  );
}

interface LineProps {
  icon: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  isAlert?: boolean;
  isWarning?: boolean;
}

function Line({ icon, children, action, isAlert, isWarning }: LineProps) {
  const look = isAlert ? "text-danger-text" : isWarning ? "text-waiting-text" : "text-muted-foreground";
  return (
    <div
      role={isAlert ? "alert" : "status"}
      className={`flex min-h-7 items-center gap-2 px-1 text-xs leading-5 ${look}`}
    >
      {icon && <span className="shrink-0 [&_svg]:size-3.5">{icon}</span>}
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</span>
      {action}
    </div>
  );
}

function ReadyDot() {
  return <span className="mx-1 block size-1.5 rounded-full bg-success" />;
}

/** A command between backticks, or the name of a variable. */
const TYPED = /(`[^`]+`|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b)/;

/** What helps, in the daemon's words: what is to be typed stands out, and can be copied. */
function RemedyText({ text }: { text: string }) {
  return text.split(TYPED).map((piece, index) => {
    if (index % 2 === 0) return piece;
    const typed = piece.replaceAll("`", "");
    return (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change under the keys
        key={index}
        className="mx-0.5 inline-flex max-w-full items-center gap-1 rounded border bg-muted pl-1.5 align-middle font-mono text-[0.9em] text-foreground"
      >
        <code className="min-w-0 [overflow-wrap:anywhere]">{typed}</code>
        <CopyButton name={typed} text={() => typed} className="p-1 text-muted-foreground" />
      </span>
    );
  });
}
