/** Mode, permissions, model and further settings of the agent, as far as it has them. */
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { usePermissionModes } from "../access/use-permission-modes.ts";
import { messageOf } from "../api/error-text.ts";
import type { SessionDetails, UpdateSession } from "../api/types.ts";
import type { Details } from "../chat/use-details.ts";
import { PERMISSION_NAMES } from "../shell/permission-names.ts";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";

export function AgentSettings({ details }: { details: Details }) {
  const [problem, setProblem] = useState<string>();
  const { can } = useAccess();
  const { session, agent } = details;
  const permissionModes = usePermissionModes(agent);
  if (!session || !agent || !can("session.settings")) return null;
  const { modes, setModel } = agent.capabilities;
  // Before its first prompt the session knows none; the agent may have been asked for another reason.
  const models = session.models ?? agent.status?.models ?? [];

  function change(update: UpdateSession) {
    setProblem(undefined);
    details.update(update).catch((error) => setProblem(messageOf(error)));
  }

  return (
    <div className="flex min-w-0 items-center gap-0.5 overflow-hidden max-sm:flex-wrap">
      {modes.length > 1 && (
        <Choice
          label="Mode"
          value={session.mode}
          choices={modes.map((id) => ({ id, name: nameOf(session.modes, id) ?? id }))}
          onChange={(mode) => change({ mode })}
        />
      )}
      {permissionModes.length > 1 && (
        <Choice
          label="Permissions"
          value={session.permissionMode}
          choices={permissionModes.map((id) => ({ id, name: PERMISSION_NAMES[id] ?? id }))}
          onChange={(permissionMode) => change({ permissionMode })}
        />
      )}
      {setModel && models.length > 1 && (
        <Choice
          label="Model"
          value={session.model}
          choices={models.map(({ id, name }) => ({ id, name: name ?? id }))}
          onChange={(model) => change({ model })}
        />
      )}
      {choosable(session.settings).map(({ id, name, value, choices }) => (
        <Choice
          key={id}
          label={name}
          value={value}
          choices={choices.map((choice) => ({ id: choice.id, name: choice.name ?? choice.id }))}
          onChange={(chosen) => change({ settings: { [id]: chosen } })}
        />
      ))}
      {problem && (
        <span role="alert" className="truncate text-danger-text text-xs">
          {problem}
        </span>
      )}
    </div>
  );
}

/** More do not fit beside the rest. The others are set over HTTP. */
const MAX_SETTINGS = 2;

type Setting = NonNullable<SessionDetails["settings"]>[number];

/** Settings a person can pick a value of from a list. */
function choosable(settings: readonly Setting[] = []) {
  return settings
    .flatMap(({ value, choices, ...setting }) =>
      typeof value === "string" && choices && choices.length > 1 ? [{ ...setting, value, choices }] : [],
    )
    .slice(0, MAX_SETTINGS);
}

/** Nobody picks from a longer list. */
const MAX_CHOICES = 1000;

interface ChoiceProps {
  label: string;
  value: string | undefined;
  choices: readonly { id: string; name: string }[];
  onChange: (id: string) => void;
  className?: string;
}

function Choice({ label, value, choices, onChange, className }: ChoiceProps) {
  const current = choices.find(({ id }) => id === value)?.name ?? value ?? label;
  return (
    <span className={classNames("relative inline-flex min-w-0 shrink items-center", className)}>
      <span
        aria-hidden="true"
        className="pointer-events-none flex h-7 min-w-0 items-center gap-1 px-1.5 text-muted-foreground text-xs"
      >
        <span className="truncate">{clip(current, 80)}</span>
        <ChevronDown className="size-3 shrink-0" />
      </span>
      <select
        aria-label={label}
        title={label}
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value)}
        className="absolute inset-0 w-full rounded-md opacity-0 focus-visible:opacity-100"
      >
        {value === undefined && <option value="">The agent’s default</option>}
        {choices.slice(0, MAX_CHOICES).map(({ id, name }) => (
          <option key={id} value={id}>
            {clip(name, 80)}
          </option>
        ))}
      </select>
    </span>
  );
}

function nameOf(
  choices: readonly { id: string; name?: string }[] | undefined,
  id: string,
): string | undefined {
  return choices?.find((choice) => choice.id === id)?.name;
}
