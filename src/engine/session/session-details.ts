/** What clients see of a session: what is committed, with what its agent last reported about itself. */

import type { SessionDetails } from "../../protocol/commands/command-types.ts";
import { shownSettings } from "../agent/agent-setting-values.ts";
import { asksNow } from "../asks/asking-checks.ts";
import type { Services } from "../engine-services.ts";
import type { SessionActor } from "./session-actor.ts";

/** `declaredModes` are those of an agent that has not reported any. */
export async function sessionDetails(
  services: Services,
  actor: SessionActor,
  declaredModes: SessionDetails["modes"],
): Promise<SessionDetails> {
  const { state } = actor;
  const stored = await services.store.getSession(state.id);
  const { request: _request, ...row } = stored ?? actor.log.row();
  const {
    agentVersion,
    models,
    modes,
    commands,
    tools,
    attached,
    install,
    env,
    checkpointObstacle,
    context,
    alwaysAllowed,
  } = state;
  const { asks, path, reason } = asksNow(actor);
  return {
    ...row,
    agentVersion,
    models,
    modes: modes ?? declaredModes,
    commands,
    settings: shownSettings(state),
    tools,
    context,
    asks: { asks, path, reason },
    alwaysAllowed: alwaysAllowed?.length ? alwaysAllowed : undefined,
    attached,
    install,
    env,
    envRequired: actor.isEnvironmentMissing,
    checkpoints: takesCheckpoints(services) && state.checkpoints !== "off" ? "on" : "off",
    checkpointObstacle,
    onLost: state.onLost === "continue" ? "continue" : undefined,
    queueHeld: state.queue.length > 0 ? state.queueHeld : undefined,
    waitsFor: missingAt(actor),
    forks: await existingForks(services, actor),
  };
}

function missingAt({ log, state }: SessionActor): SessionDetails["waitsFor"] {
  const { access } = log;
  if (access.missing === "files") return { node: access.node, nodeNumber: access.nodeNumber };
  return access.missing === "agent" ? { agent: state.agent } : undefined;
}

function takesCheckpoints({ workspace, checkpoints }: Services): boolean {
  return workspace !== undefined && checkpoints === "on";
}

async function existingForks({ store }: Services, { state }: SessionActor): Promise<string[] | undefined> {
  if (!state.forks) return undefined;
  const rows = await Promise.all(state.forks.map((id) => store.getSession(id).catch(() => undefined)));
  return rows.flatMap((row) => row?.id ?? []);
}
