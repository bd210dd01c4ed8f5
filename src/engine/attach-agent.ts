/** Opens the native session: takes up the earlier conversation where there is one, else begins a new one and says so. */
import type { BackendAdapter, BackendSession, ConnectOptions } from "../core/adapter.ts";
import type { SessionState } from "../core/session-state.ts";

export interface Attachment {
  session: BackendSession;
  resumed: boolean;
  /** Why the earlier conversation could not be taken up. */
  resumeProblem?: string;
}

export async function attachAgent(
  adapter: BackendAdapter,
  state: SessionState,
  environment: Record<string, string> | undefined,
): Promise<Attachment> {
  const options: ConnectOptions = {
    sessionId: state.id,
    cwd: state.cwd,
    model: state.model,
    mode: state.mode,
    permissionMode: state.permissionMode,
    mcpServers: state.mcpServers,
    adapterOptions: state.options,
    environment,
  };
  if (state.agentSessionId === undefined) return { session: await adapter.connect(options), resumed: false };
  if (!adapter.capabilities.resume) {
    return {
      session: await adapter.connect(options),
      resumed: false,
      resumeProblem: `${adapter.name} cannot take up an earlier conversation`,
    };
  }
  try {
    const session = await adapter.connect({ ...options, resume: true, agentSessionId: state.agentSessionId });
    return { session, resumed: true };
  } catch (error) {
    const resumeProblem = error instanceof Error ? error.message : String(error);
    return { session: await adapter.connect(options), resumed: false, resumeProblem };
  }
}
