/** Which agent a new session has, with what each of them still needs: a list that a few letters narrow. */
import { Command } from "cmdk";
import { Check, Search } from "lucide-react";
import { useState } from "react";
import type { Agent } from "../api/types.ts";
import { matchWords } from "../shell/match-words.ts";
import { AgentIcon } from "../ui/agent-icon.tsx";
import { Picker } from "../ui/picker.tsx";
import { groupAgents, needOf } from "./group-agents.ts";

interface AgentPickerProps {
  agents: readonly Agent[];
  /** Names of those used last. */
  recent: readonly string[];
  chosen: string;
  onChoose: (name: string) => void;
  /** Where the focus goes afterwards. */
  onClosed: () => void;
}

export function AgentPicker({ onClosed, ...list }: AgentPickerProps) {
  const { agents, chosen, onChoose } = list;
  return (
    <Picker
      look="search"
      name="Agent"
      icon={<AgentIcon agent={chosen} />}
      chosen={agents.find(({ name }) => name === chosen)?.title ?? chosen}
      // A phone's keyboard would cover the list.
      onOpenAutoFocus={(event) => matchMedia("(pointer: coarse)").matches && event.preventDefault()}
      onClosed={onClosed}
      className="px-1.5 font-medium text-[0.8125rem]"
      windowClass="max-h-[min(27rem,var(--radix-popover-content-available-height))] w-[min(21rem,calc(100vw-1.5rem))]"
    >
      {(close) => (
        <AgentList
          {...list}
          onChoose={(name) => {
            onChoose(name);
            close();
          }}
        />
      )}
    </Picker>
  );
}

function AgentList({ agents, recent, chosen, onChoose }: Omit<AgentPickerProps, "onClosed">) {
  const [query, setQuery] = useState("");
  const groups = groupAgents(agents, recent)
    .map(({ name, agents: grouped }) => ({
      name,
      found: matchWords(
        grouped.map((agent) => ({ name: agent.title, words: agent.name, agent })),
        query,
        grouped.length,
      ),
    }))
    .filter(({ found }) => found.length > 0);
  return (
    <Command loop shouldFilter={false} label="Agents" defaultValue={chosen} className="flex min-h-0 flex-col">
      <div className="flex h-10 shrink-0 items-center gap-2 border-b px-3 touch:h-11">
        <Search aria-hidden="true" className="size-3.5 shrink-0 text-muted-foreground" />
        <Command.Input
          value={query}
          onValueChange={setQuery}
          placeholder="Find an agent"
          className="h-full min-w-0 flex-1 bg-transparent text-[0.8125rem] outline-none placeholder:text-muted-foreground touch:text-base"
        />
      </div>
      <Command.List className="min-h-0 overflow-y-auto overscroll-contain p-1.5">
        {groups.length === 0 && (
          <p role="status" className="px-2 py-1.5 text-muted-foreground text-xs">
            No agent is called so.
          </p>
        )}
        {groups.map(({ name, found }) => (
          <Command.Group
            key={name}
            heading={name}
            className="pb-1 last:pb-0 [&>[cmdk-group-heading]]:px-2 [&>[cmdk-group-heading]]:pt-1.5 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:font-medium [&>[cmdk-group-heading]]:text-2xs [&>[cmdk-group-heading]]:text-muted-foreground"
          >
            {found.map(({ agent }) => (
              <AgentItem
                key={agent.name}
                agent={agent}
                isChosen={agent.name === chosen}
                onChoose={() => onChoose(agent.name)}
              />
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

function AgentItem({ agent, isChosen, onChoose }: { agent: Agent; isChosen: boolean; onChoose: () => void }) {
  return (
    <Command.Item
      value={agent.name}
      onSelect={onChoose}
      data-agent={agent.name}
      className="flex h-8.5 cursor-default select-none items-center gap-2.5 rounded-md px-2 data-[selected=true]:bg-hover touch:h-11"
    >
      <AgentIcon agent={agent.name} />
      <span className="truncate">{agent.title}</span>
      <span className="ml-auto flex shrink-0 items-center gap-2 text-2xs text-muted-foreground">
        {needOf(agent) ?? agent.status?.version}
        {isChosen && <Check aria-label="chosen" className="size-3.5 text-primary-text" />}
      </span>
    </Command.Item>
  );
}
