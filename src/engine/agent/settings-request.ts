/** One change of settings as the agent is asked for it, with a limit to the wait for its answer. */
import type { AgentSettings } from "../../core/adapter.ts";
import { type ErrorCode, InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import type { EngineLimits } from "../limits.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { AgentConnection } from "./agent-connection.ts";
import type { Delivery } from "./agent-mailbox.ts";

const TOLD_AS_THEY_ARE: readonly ErrorCode[] = ["agent_timeout", "store_unavailable", "option_not_offered"];

export interface SettingsRequestOptions {
  log: SessionLog;
  connection: AgentConnection;
  limits: Pick<EngineLimits, "settingsTimeoutMs">;
}

export class SettingsRequest {
  readonly #options: SettingsRequestOptions;
  #generation = 0;
  #doubtful = new Set<string>();

  constructor(options: SettingsRequestOptions) {
    this.#options = options;
  }

  /** Settings whose change this process of the agent did not answer in time: it may still make it. */
  get doubtful(): Set<string> {
    const { generation } = this.#options.log.state;
    if (this.#generation !== generation) this.#doubtful = new Set();
    this.#generation = generation;
    return this.#doubtful;
  }

  /** An agent that does not answer must not keep everybody waiting. A late answer is recorded when it comes. */
  async send(wanted: AgentSettings): Promise<Delivery> {
    const { log, connection, limits } = this.#options;
    const ready = log.flush();
    const { doubtful } = this;
    const ids = Object.keys(wanted.settings ?? {});
    const late = Promise.withResolvers<Delivery>();
    let timer: NodeJS.Timeout | undefined;
    const begin = () => {
      const seconds = limits.settingsTimeoutMs / 1000;
      const detail = `The agent did not say within ${seconds} seconds whether it takes the change. Look at the session, then try again.`;
      const error = new InterlinguaError("agent_timeout", detail);
      const giveUp = () => {
        for (const id of ids) doubtful.add(id);
        late.resolve({ delivered: false, error });
      };
      timer = setTimeout(giveUp, limits.settingsTimeoutMs);
    };
    ready.then(begin, () => {});
    try {
      const sent = connection.send({ type: "configure", ...wanted }, ready);
      const delivery = await Promise.race([sent, late.promise]);
      // What the agent reported with its answer is read first: it says what is in force.
      await new Promise((resolve) => setImmediate(resolve));
      if (delivery.delivered) for (const id of ids) doubtful.delete(id);
      return delivery;
    } finally {
      clearTimeout(timer);
    }
  }

  /** What a client is told. */
  refusal(error: unknown): InterlinguaError {
    const code = InterlinguaError.isInstance(error) ? error.code : "agent_failed";
    if (TOLD_AS_THEY_ARE.includes(code)) return error as InterlinguaError;
    const reason = this.#options.connection.mask.text(errorText(error));
    const isRefused = code === "unsupported";
    return isRefused
      ? new InterlinguaError("unsupported", `The agent did not take the change: ${reason}`)
      : new InterlinguaError("agent_failed", `The agent could not be told of the change: ${reason}`);
  }
}

/** The agent was gone before it answered. */
export function isGone(error: unknown): boolean {
  return InterlinguaError.isInstance(error) && error.code === "session_closed";
}
