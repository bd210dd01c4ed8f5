/** Mode, permissions, model and further settings of the agent, as far as it has them: in a line, or one below the other. */
import { ShieldAlert } from "lucide-react";
import { Fragment, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { usePermissionModes } from "../access/use-permission-modes.ts";
import { messageOf } from "../api/error-text.ts";
import type { Agent, SessionDetails, UpdateSession } from "../api/types.ts";
import type { Details } from "../chat/use-details.ts";
import { PERMISSION_NAMES } from "../shell/permission-names.ts";
import { Choice, ChoiceRow } from "../ui/choice.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import { Problem } from "../ui/problem.tsx";
import { AllowedChip, allowsAll } from "./allowed-chip.tsx";
import { AllowedNote, AlwaysAllowedButton } from "./always-allowed.tsx";
import { choiceName } from "./choice-name.ts";

/** In a line more do not fit beside the rest; a list has all. */
const MAX_IN_LINE = 2;
const MAX_IN_LIST = 40;

export function AgentSettings({ details, isList = false }: { details: Details; isList?: boolean }) {
  const [problem, setProblem] = useState<string>();
  const { can } = useAccess();
  const { session, agent } = details;
  const permissionModes = usePermissionModes(agent);
  if (!session || !agent || !can("session.settings"))
    return isList ? null : <AllowedNote session={session} />;

  function change(update: UpdateSession) {
    setProblem(undefined);
    details.update(update).catch((error) => setProblem(messageOf(error)));
  }

  const Setting = isList ? ListChoice : LineChoice;
  const choices = choicesOf(session, agent, permissionModes);
  const settings = settingsOf(session, isList ? MAX_IN_LIST : MAX_IN_LINE);
  // The setting itself says it, where it is shown.
  const hasBypass = [...choices, ...settings].some(({ isBypass }) => isBypass);
  return (
    <div className={isList ? "grid" : "flex min-w-0 items-center gap-0.5 overflow-hidden max-sm:flex-wrap"}>
      {!isList && !hasBypass && <AllowedChip session={session} />}
      {choices.map(({ id, update, ...choice }) => (
        <Fragment key={id}>
          <Setting {...choice} onChange={(value) => change(update(value))} />
          {!isList && id === "permissions" && <AlwaysAllowedButton session={session} />}
        </Fragment>
      ))}
      {!isList && !choices.some(({ id }) => id === "permissions") && (
        <AlwaysAllowedButton session={session} />
      )}
      {settings.map(({ id, ...choice }) => (
        <Setting key={id} {...choice} onChange={(value) => change({ settings: { [id]: value } })} />
      ))}
      {isList &&
        switchesOf(session).map(({ id, name, value }) => (
          <label
            key={id}
            className="flex min-h-8.5 items-center justify-between gap-3 rounded-md px-2 text-muted-foreground text-xs hover:bg-hover touch:min-h-11"
          >
            {clip(name, 80)}
            <input
              type="checkbox"
              checked={value}
              onChange={(event) => change({ settings: { [id]: event.target.checked } })}
              className="size-4 accent-primary"
            />
          </label>
        ))}
      <Problem text={problem} className={isList ? "px-2" : "truncate"} />
    </div>
  );
}

interface Offered {
  id: string;
  label: string;
  value: string | undefined;
  choices: readonly { id: string; name: string }[];
  /** Whether it is what lets the agent do everything without asking. */
  isBypass: boolean;
  update: (value: string) => UpdateSession;
}

function choicesOf(session: SessionDetails, agent: Agent, permissionModes: readonly string[]): Offered[] {
  // Before its first prompt the session knows none; the agent may have been asked for another reason.
  const models = agent.capabilities.setModel ? (session.models ?? agent.status?.models ?? []) : [];
  const knownName = ({ id, name }: { id: string; name?: string }) =>
    name ?? agent.status?.models?.find((model) => model.id === id)?.name;
  const offered: Offered[] = [
    {
      id: "mode",
      label: "Mode",
      value: session.mode,
      choices: offeredModes(session, agent),
      isBypass: allowsAll(session, "mode"),
      update: (mode) => ({ mode }),
    },
    {
      id: "permissions",
      label: "Permissions",
      value: session.permissionMode,
      choices: permissionModes.map((id) => ({ id, name: PERMISSION_NAMES[id] ?? id })),
      isBypass: allowsAll(session, "permissionMode"),
      update: (permissionMode) => ({ permissionMode: permissionMode as UpdateSession["permissionMode"] }),
    },
    {
      id: "model",
      label: "Model",
      value: session.model,
      choices: models.map((model) => ({
        id: model.id,
        name: choiceName({ ...model, name: knownName(model) }),
      })),
      isBypass: false,
      update: (model) => ({ model }),
    },
  ];
  return offered.filter(({ choices }) => choices.length > 1);
}

/** Those it declares, and where it may have more, those it has told of since it runs. */
function offeredModes({ modes: told = [] }: SessionDetails, { capabilities }: Agent) {
  const more = capabilities.moreModes ? told.map(({ id }) => id) : [];
  const ids = [...new Set([...capabilities.modes, ...more])];
  return ids.map((id) => ({ id, name: choiceName({ id, name: told.find((mode) => mode.id === id)?.name }) }));
}

/** Settings a person can pick a value of from a list. */
function settingsOf(session: SessionDetails, most: number) {
  const { settings = [] } = session;
  return settings
    .flatMap(({ id, name: label, value, choices }) =>
      typeof value === "string" && choices && choices.length > 1
        ? [
            {
              id,
              label,
              value,
              choices: choices.map((choice) => ({ id: choice.id, name: choiceName(choice) })),
              isBypass: allowsAll(session, `settings.${id}`),
            },
          ]
        : [],
    )
    .slice(0, most);
}

function switchesOf({ settings = [] }: SessionDetails) {
  return settings
    .flatMap(({ id, name, value }) => (typeof value === "boolean" ? [{ id, name, value }] : []))
    .slice(0, MAX_IN_LIST);
}

interface ChoiceProps extends Pick<Offered, "label" | "value" | "choices" | "isBypass"> {
  onChange: (id: string) => void;
}

/** The ring stays inside: the line around cuts off what does not fit. */
function LineChoice({ isBypass, ...props }: ChoiceProps) {
  if (!isBypass) {
    return <Choice {...props} className="h-7! text-muted-foreground! has-focus-visible:-outline-offset-2" />;
  }
  return (
    <span data-all-allowed className="inline-flex shrink-0">
      <Choice
        {...props}
        icon={<ShieldAlert className="size-3.5 shrink-0" />}
        className="h-7! border border-danger-border bg-danger-soft font-medium text-danger-text! has-focus-visible:-outline-offset-2"
      />
    </span>
  );
}

function ListChoice({ isBypass, ...props }: ChoiceProps) {
  return (
    <ChoiceRow {...props} className={classNames("max-w-52", isBypass && "font-medium text-danger-text!")} />
  );
}
