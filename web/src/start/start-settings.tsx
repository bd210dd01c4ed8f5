/** Mode, permissions, model and further settings of a session that is not there yet, as far as they are known. */
import { Boxes, Gauge, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { usePermissionModes } from "../access/use-permission-modes.ts";
import type { Agent, SessionDetails, UpdateSession } from "../api/types.ts";
import { PERMISSION_NAMES } from "../shell/permission-names.ts";
import { Choice } from "../ui/choice.tsx";

export type StartSettings = Pick<UpdateSession, "model" | "mode" | "permissionMode"> & {
  settings?: Record<string, string>;
};

interface StartSettingsProps {
  agent: Agent;
  /** What the agent told, once it runs. */
  details: SessionDetails | undefined;
  settings: StartSettings;
  onChange: (change: StartSettings) => void;
}

const OTHER_MODEL = "\0other";
/** Agents with more are set in the session itself. */
const MAX_SETTINGS = 4;

export function StartSettingsRow({ agent, details, settings, onChange }: StartSettingsProps) {
  const { setModel, modes } = agent.capabilities;
  const permissionModes = usePermissionModes(agent);
  const known = details?.modes ?? modes.map((id) => ({ id, name: undefined }));
  return (
    <>
      {known.length > 1 && (
        <Choice
          label="Mode"
          value={settings.mode ?? details?.mode}
          placeholder="Mode"
          choices={known.map(({ id, name }) => ({ id, name: name ?? capitalize(id) }))}
          onChange={(mode) => onChange({ mode })}
        />
      )}
      {permissionModes.length > 1 && (
        <Choice
          label="Permissions"
          icon={<ShieldCheck className="size-3.5 shrink-0 text-muted-foreground" />}
          value={settings.permissionMode ?? details?.permissionMode}
          placeholder="Permissions"
          choices={permissionModes.map((id) => ({ id, name: PERMISSION_NAMES[id] ?? id }))}
          onChange={(permissionMode) => onChange({ permissionMode })}
          className={settings.permissionMode === "bypass" ? "text-waiting-text!" : undefined}
        />
      )}
      {setModel && (
        <ModelChoice
          models={details?.models ?? agent.status?.models ?? []}
          value={settings.model ?? details?.model}
          onChange={(model) => onChange({ model })}
        />
      )}
      {(details?.settings ?? [])
        .flatMap(({ id, name, value, choices = [] }) =>
          choices.length > 1 && typeof value !== "boolean" ? [{ id, name, value, choices }] : [],
        )
        .slice(0, MAX_SETTINGS)
        .map(({ id, name, value, choices }) => (
          <Choice
            key={id}
            label={name ?? id}
            icon={<Gauge className="size-3.5 shrink-0 text-muted-foreground" />}
            value={settings.settings?.[id] ?? value}
            choices={choices.map((choice) => ({ id: choice.id, name: choice.name ?? choice.id }))}
            onChange={(chosen) => onChange({ settings: { [id]: chosen } })}
          />
        ))}
    </>
  );
}

interface ModelChoiceProps {
  models: readonly { id: string; name?: string }[];
  value: string | undefined;
  onChange: (model: string) => void;
}

/** One that the agent names, or any other by its name. */
function ModelChoice({ models, value, onChange }: ModelChoiceProps) {
  const [isWriting, setIsWriting] = useState(false);
  if (isWriting) {
    const finish = (model: string) => {
      setIsWriting(false);
      if (model.trim() !== "") onChange(model.trim());
    };
    return (
      <input
        // biome-ignore lint/a11y/noAutofocus: it was just asked for
        autoFocus
        aria-label="Name of the model"
        placeholder="Name of the model"
        spellCheck={false}
        maxLength={500}
        onBlur={(event) => finish(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") finish(event.currentTarget.value);
          else if (event.key === "Escape") setIsWriting(false);
          else return;
          event.preventDefault();
        }}
        className="h-8 w-44 rounded-md border border-input bg-background px-2 text-xs touch:h-10 touch:text-base"
      />
    );
  }
  const choices = models.map(({ id, name }) => ({ id, name: name ?? id }));
  const isListed = value === undefined || choices.some(({ id }) => id === value);
  return (
    <Choice
      label="Model"
      icon={<Boxes className="size-3.5 shrink-0 text-muted-foreground" />}
      value={value}
      placeholder="Model"
      choices={[
        ...choices,
        ...(isListed ? [] : [{ id: value, name: value }]),
        { id: OTHER_MODEL, name: "Another model…" },
      ]}
      onChange={(model) => (model === OTHER_MODEL ? setIsWriting(true) : onChange(model))}
      className="max-w-52"
    />
  );
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
