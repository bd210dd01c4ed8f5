/** Gets a session's agent to work: attaches it, and installs it first where it is missing and may be installed. */
import type { BackendAdapter } from "../core/adapter.ts";
import { InterlinguaError } from "../core/error.ts";
import type { SessionState } from "../core/session-state.ts";
import { type Attachment, attachAgent } from "./attach-agent.ts";
import { inTime } from "./in-time.ts";
import { installAgent } from "./install-agent.ts";
import type { Services } from "./services.ts";
import type { StartSettings } from "./session-secrets.ts";

export interface ObtainOptions {
  environment: Record<string, string>;
  settings: StartSettings;
  services: Pick<Services, "agentSettings" | "limits" | "programs">;
  /** Ends the waiting. */
  connecting: AbortController;
  /** Told how an installation goes. */
  notice(text: string, data: unknown): void;
}

/** Attaching has its time limit; an installation takes the time it takes. */
export async function obtainAgent(
  adapter: BackendAdapter,
  state: SessionState,
  options: ObtainOptions,
): Promise<Attachment> {
  const { environment, settings, services, connecting, notice } = options;
  const { signal } = connecting;
  const attach = () =>
    connectInTime(connecting, services, adapter.name, () =>
      attachAgent(adapter, state, { environment, settings, signal }),
    );
  const wanted = state.install ?? services.agentSettings[state.agent]?.install;
  try {
    return await attach();
  } catch (error) {
    const isMissing = InterlinguaError.isInstance(error) && error.code === "agent_not_installed";
    if (!isMissing || !adapter.program || wanted !== "auto") throw error;
  }
  await installAgent(services.programs, adapter.program, { signal, notice });
  return attach();
}

export function connectInTime<Result>(
  connecting: AbortController,
  { limits }: Pick<Services, "limits">,
  agent: string,
  action: () => Promise<Result>,
): Promise<Result> {
  const { connectTimeoutMs: ms } = limits;
  const seconds = Math.round(ms / 1000);
  const late = new Error(
    `${agent} was not ready within ${seconds} seconds. Try again, or raise limits.connectTimeoutMs in the config file.`,
  );
  return inTime(connecting, { ms, late }, action);
}
