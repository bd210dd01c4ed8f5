/** `session_init` and updates of it → what an agent tells about itself. Pure. */
import type { Draft } from "../../core/draft.ts";
import { isRecord } from "../../core/is-record.ts";
import { withoutUndefined } from "../../core/without-undefined.ts";
import { type Metadata, ownIn, textIn, textsIn } from "./metadata.ts";

type AgentState = Omit<Extract<Draft, { type: "session.attached" }>, "type">;

const MAX_CHOICES = 1000;

export function agentState(metadata: Metadata): AgentState {
  const settings = ownIn(metadata, "settings");
  return withoutUndefined({
    agentSessionId: textIn(metadata, "agent_session_id"),
    agentVersion: textIn(metadata, "agent_version", "version"),
    model: textIn(metadata, "model"),
    models: choices(metadata, "models"),
    mode: textIn(metadata, "mode"),
    modes: choices(metadata, "modes"),
    permissionMode: textIn(metadata, "permissionMode", "permission_mode"),
    commands: commands(metadata),
    tools: Array.isArray(ownIn(metadata, "tools"))
      ? textsIn(metadata, "tools").slice(0, MAX_CHOICES)
      : undefined,
    // Which of them are wrong is found where drafts are checked.
    settings: Array.isArray(settings) ? (settings as AgentState["settings"]) : undefined,
  });
}

/** Names, or objects with an id. */
function choices(metadata: Metadata, key: string): { id: string; name?: string }[] | undefined {
  const value = ownIn(metadata, key);
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, MAX_CHOICES).flatMap((each) => {
    if (typeof each === "string") return [{ id: each }];
    const id = isRecord(each) ? textIn(each, "id", "value") : undefined;
    if (id === undefined) return [];
    return [withoutUndefined({ id, name: textIn(each, "name"), description: textIn(each, "description") })];
  });
}

function commands(metadata: Metadata): AgentState["commands"] {
  const key = Array.isArray(ownIn(metadata, "commands")) ? "commands" : "slash_commands";
  const value = ownIn(metadata, key);
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, MAX_CHOICES).flatMap((each) => {
    if (typeof each === "string") return [{ name: each.replace(/^\//, "") }];
    const name = isRecord(each) ? textIn(each, "name") : undefined;
    if (name === undefined) return [];
    return [
      withoutUndefined({
        name: name.replace(/^\//, ""),
        description: textIn(each, "description"),
        hint: textIn(each, "hint", "argumentHint"),
      }),
    ];
  });
}
