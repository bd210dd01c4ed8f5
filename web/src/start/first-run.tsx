/** What a person sees who has no session yet: three things to try that need no key, and agents that do real work. */
import { FilePen, ListChecks, type LucideIcon, MessageCircleQuestionMark } from "lucide-react";
import type { ReactNode } from "react";
import type { Agent } from "../api/types.ts";
import { AgentIcon } from "../ui/agent-icon.tsx";
import { classNames } from "../ui/class-names.ts";
import { needOf, readinessOf } from "./group-agents.ts";

interface Example {
  icon: LucideIcon;
  title: string;
  text: string;
  prompt: string;
}

const EXAMPLES: readonly Example[] = [
  {
    icon: FilePen,
    title: "Change a file",
    text: "It reads, and asks before it writes.",
    prompt: "Please cache rendered tiles on disk and note it in the docs.",
  },
  {
    icon: MessageCircleQuestionMark,
    title: "Ask me something",
    text: "It stops until you have answered.",
    prompt: "Restyle the download button, and ask me which colour. (scenario:question)",
  },
  {
    icon: ListChecks,
    title: "Plan first",
    text: "It proposes a plan and waits for your yes.",
    prompt: "Plan how to rename the module geo to geometry. (scenario:plan)",
  },
];

/** Those that most people come for. */
const REAL = ["claude", "codex", "gemini"];

const CARD =
  "flex w-full gap-3 rounded-xl border bg-raised px-3.5 py-3 text-left shadow-xs hover:border-input hover:bg-hover disabled:opacity-50";

interface FirstRunProps {
  agents: readonly Agent[];
  /** The agent of the next session. */
  chosen: string;
  /** Whether that one is being installed. */
  isInstalling: boolean;
  isDisabled: boolean;
  onTry: (prompt: string) => void;
  onChoose: (agent: string) => void;
}

export function FirstRun({ agents, chosen, isInstalling, isDisabled, onTry, onChoose }: FirstRunProps) {
  const hasMock = agents.some(({ name }) => name === "mock");
  const real = REAL.flatMap((name) => agents.find((agent) => agent.name === name) ?? []);
  return (
    <>
      {hasMock && (
        <Row
          title="Try it with the mock"
          text="An agent without a model: no key, no cost. Only the files it writes are real."
        >
          {EXAMPLES.map(({ icon: Icon, title, text, prompt }) => (
            <button
              key={title}
              type="button"
              disabled={isDisabled}
              onClick={() => onTry(prompt)}
              className={classNames(CARD, "sm:flex-col sm:gap-2")}
            >
              <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-primary-text" />
              <span>
                <span className="block font-medium">{title}</span>
                <span className="mt-0.5 block text-muted-foreground text-xs leading-5">{text}</span>
              </span>
            </button>
          ))}
        </Row>
      )}
      {real.length > 0 && (
        <Row
          title="Use a real agent"
          text="It works in your directory with your own account. All others are in the list of agents."
        >
          {real.map((agent) => (
            <button
              key={agent.name}
              type="button"
              data-agent={agent.name}
              aria-pressed={agent.name === chosen}
              onClick={() => onChoose(agent.name)}
              className={classNames(CARD, "items-center", agent.name === chosen && "border-ring!")}
            >
              <AgentIcon agent={agent.name} className="size-7" />
              <span className="min-w-0">
                <span className="block truncate font-medium">{agent.title}</span>
                <AgentState agent={agent} isInstalling={isInstalling && agent.name === chosen} />
              </span>
            </button>
          ))}
        </Row>
      )}
    </>
  );
}

function Row({ title, text, children }: { title: string; text: string; children: readonly ReactNode[] }) {
  return (
    <section aria-label={title} className="mt-6">
      <h2 className="font-medium text-[0.8125rem]">{title}</h2>
      <p className="mt-0.5 text-muted-foreground text-xs leading-5">{text}</p>
      <div className="mt-2.5 grid gap-2 sm:grid-cols-3">{children}</div>
    </section>
  );
}

function AgentState({ agent, isInstalling }: { agent: Agent; isInstalling: boolean }) {
  const readiness = readinessOf(agent);
  const text = isInstalling
    ? "Installing…"
    : readiness === "unknown"
      ? "Looking for it…"
      : (needOf(agent) ?? "Ready");
  return (
    <span className="mt-0.5 flex items-center gap-1.5 text-muted-foreground text-xs">
      {readiness === "ready" && (
        <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-success" />
      )}
      {text}
    </span>
  );
}
