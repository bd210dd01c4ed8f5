/** Mode, permissions, model and further settings of a session that is not there yet, behind one button that says them. */
import { ShieldAlert, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { usePermissionModes } from "../access/use-permission-modes.ts";
import type { Agent, SessionDetails, UpdateSession } from "../api/types.ts";
import { PERMISSION_NAMES } from "../shell/permission-names.ts";
import { Choice, ChoiceRow, SettingRow } from "../ui/choice.tsx";
import { classNames } from "../ui/class-names.ts";
import { capitalize, clip } from "../ui/format.ts";
import { Picker } from "../ui/picker.tsx";

export type StartSettings = Pick<UpdateSession, "model" | "mode" | "permissionMode"> & {
  settings?: Record<string, string>;
};

interface StartSettingsProps {
  agent: Agent;
  /** What the agent told, once it runs. */
  details: SessionDetails | undefined;
  settings: StartSettings;
  onChange: (change: StartSettings) => void;
  /** Where the focus goes afterwards. */
  onClosed: () => void;
}

const OTHER_MODEL = "\0other";
/** Agents with more are set in the session itself. */
const MAX_SETTINGS = 12;

/** Nothing where nothing can be set. */
export function StartSettingsMenu({ agent, details, settings, onChange, onClosed }: StartSettingsProps) {
  const { setModel, modes } = agent.capabilities;
  const permissionModes = usePermissionModes(agent);
  const known = details?.modes ?? modes.map((id) => ({ id, name: undefined }));
  const models = details?.models ?? agent.status?.models ?? [];
  const model = settings.model ?? details?.model;
  const permissions = settings.permissionMode ?? details?.permissionMode;
  const further = (details?.settings ?? [])
    .flatMap(({ id, name, value, choices = [] }) =>
      choices.length > 1 && typeof value !== "boolean" ? [{ id, name, value, choices }] : [],
    )
    .slice(0, MAX_SETTINGS);
  const hasModes = known.length > 1;
  const hasPermissions = permissionModes.length > 1;
  if (!hasModes && !hasPermissions && !setModel && further.length === 0) return null;
  const isBypassing = permissions === "bypass";
  const Icon = isBypassing ? ShieldAlert : SlidersHorizontal;
  const said = [
    hasPermissions && permissions !== undefined && (PERMISSION_NAMES[permissions] ?? permissions),
    models.find(({ id }) => id === model)?.name ?? model,
  ].filter(Boolean);
  return (
    <Picker
      look="list"
      label="Settings of the agent"
      name="Settings"
      icon={<Icon aria-hidden="true" className="size-3.5 shrink-0" />}
      chosen={clip(said.join(" · ") || "Default settings", 80)}
      title="Mode, permissions and model"
      onClosed={onClosed}
      className={classNames(
        "px-2 text-xs",
        isBypassing ? "font-medium text-waiting-text" : "text-soft hover:text-foreground",
      )}
    >
      {hasModes && (
        <ChoiceRow
          label="Mode"
          value={settings.mode ?? details?.mode}
          placeholder="Default"
          choices={known.map(({ id, name }) => ({ id, name: name ?? capitalize(id) }))}
          onChange={(mode) => onChange({ mode })}
        />
      )}
      {hasPermissions && (
        <ChoiceRow
          label="Permissions"
          value={permissions}
          placeholder="Default"
          choices={permissionModes.map((id) => ({ id, name: PERMISSION_NAMES[id] ?? id }))}
          onChange={(permissionMode) => onChange({ permissionMode })}
          className={isBypassing ? "text-waiting-text!" : undefined}
        />
      )}
      {setModel && (
        <SettingRow name="Model">
          <ModelChoice models={models} value={model} onChange={(chosen) => onChange({ model: chosen })} />
        </SettingRow>
      )}
      {further.map(({ id, name, value, choices }) => (
        <ChoiceRow
          key={id}
          name={capitalize(name ?? id)}
          label={name ?? id}
          value={settings.settings?.[id] ?? value}
          placeholder="Default"
          choices={choices.map((choice) => ({ id: choice.id, name: choice.name ?? choice.id }))}
          onChange={(chosen) => onChange({ settings: { [id]: chosen } })}
        />
      ))}
    </Picker>
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
      value={value}
      placeholder="Default"
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
