/** What a person sees who has no session yet: how it goes, and three things to try that need no key. */
import { FilePen, ListChecks, type LucideIcon, MessageCircleQuestionMark } from "lucide-react";
import { AgentIcon } from "../ui/agent-icon.tsx";

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
    text: "It reads, edits and asks before it runs a command.",
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

interface FirstRunProps {
  isDisabled: boolean;
  onTry: (prompt: string) => void;
}

export function FirstRun({ isDisabled, onTry }: FirstRunProps) {
  return (
    <section aria-labelledby="first-run" className="mt-5">
      <h2 id="first-run" className="flex items-center gap-2 font-medium text-[0.8125rem]">
        <AgentIcon agent="mock" /> Try it with the mock
      </h2>
      <p className="mt-1 text-muted-foreground text-xs leading-5">
        An agent without a model: it needs no key, costs nothing and plays every situation. Nothing you see it
        do is real but the files it writes.
      </p>
      <ul className="mt-3 grid gap-2 sm:grid-cols-3">
        {EXAMPLES.map(({ icon: Icon, title, text, prompt }) => (
          <li key={title} className="flex">
            <button
              type="button"
              disabled={isDisabled}
              onClick={() => onTry(prompt)}
              className="flex w-full gap-3 rounded-xl border bg-raised px-3.5 py-3 text-left shadow-xs hover:border-input hover:bg-hover disabled:opacity-50 sm:flex-col sm:gap-2"
            >
              <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-primary-text" />
              <span>
                <span className="block font-medium">{title}</span>
                <span className="mt-0.5 block text-muted-foreground text-xs leading-5">{text}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
