/** Which agent a new session has, with what each of them still needs. */
import { Check, ChevronDown } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { Agent } from "../api/types.ts";
import { AgentIcon } from "../ui/agent-icon.tsx";
import { type AgentReadiness, groupAgents, readinessOf } from "./group-agents.ts";

interface AgentPickerProps {
  agents: readonly Agent[];
  /** Names of those used last. */
  recent: readonly string[];
  chosen: string;
  onChoose: (name: string) => void;
  /** Where the focus goes afterwards. */
  onClosed: () => void;
}

const NEEDS: Readonly<Partial<Record<AgentReadiness, string>>> = {
  "signed-out": "Sign in",
  missing: "Install",
};

export function AgentPicker({ agents, recent, chosen, onChoose, onClosed }: AgentPickerProps) {
  const title = agents.find(({ name }) => name === chosen)?.title ?? chosen;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md px-1.5 font-medium text-[0.8125rem] hover:bg-hover data-[state=open]:bg-hover touch:h-10">
        <AgentIcon agent={chosen} />
        <span className="sr-only">Agent: </span>
        <span className="truncate">{title}</span>
        <ChevronDown aria-hidden="true" className="size-3 shrink-0 text-muted-foreground" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label="Agent"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed();
          }}
          className="z-50 max-h-[min(26rem,var(--radix-dropdown-menu-content-available-height))] w-72 overflow-y-auto rounded-xl bg-raised p-1.5 shadow-pop animate-rise"
        >
          <DropdownMenu.RadioGroup value={chosen} onValueChange={onChoose}>
            {groupAgents(agents, recent).map((group) => (
              <DropdownMenu.Group key={group.name} aria-label={group.name} className="pb-1 last:pb-0">
                <DropdownMenu.Label className="px-2 pt-1.5 pb-1 font-medium text-2xs text-muted-foreground">
                  {group.name}
                </DropdownMenu.Label>
                {group.agents.map((agent) => (
                  <AgentItem key={agent.name} agent={agent} />
                ))}
              </DropdownMenu.Group>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function AgentItem({ agent }: { agent: Agent }) {
  const readiness = readinessOf(agent);
  const need = readiness === "missing" && !agent.installable ? "Not installed" : NEEDS[readiness];
  return (
    <DropdownMenu.RadioItem
      value={agent.name}
      textValue={agent.title}
      data-agent={agent.name}
      className="flex h-8.5 cursor-default items-center gap-2.5 rounded-md px-2 outline-none data-highlighted:bg-hover touch:h-10"
    >
      <AgentIcon agent={agent.name} className={need ? "opacity-55" : undefined} />
      <span className={need ? "truncate text-muted-foreground" : "truncate"}>{agent.title}</span>
      <span className="ml-auto flex shrink-0 items-center gap-2 text-2xs text-muted-foreground">
        {need ?? agent.status?.version}
        <DropdownMenu.ItemIndicator>
          <Check className="size-3.5 text-primary-text" />
        </DropdownMenu.ItemIndicator>
      </span>
    </DropdownMenu.RadioItem>
  );
}
