/**
 * Changes of what the agent works with: model, mode, permission mode. They go to the agent one after the other. Each is
 * committed as a request before the agent hears of it, and as a setting when it is in force.
 */
import type { AgentSettings } from "../core/adapter.ts";
import { InterlinguaError } from "../core/error.ts";
import type { AgentConnection } from "./agent-connection.ts";
import type { Delivery } from "./agent-link.ts";
import { errorText } from "./error-text.ts";
import type { EngineLimits } from "./limits.ts";
import type { SessionLog } from "./session-log.ts";

const SETTINGS = ["model", "mode", "permissionMode"] as const;

export interface SettingsChangesOptions {
  log: SessionLog;
  connection: AgentConnection;
  limits: Pick<EngineLimits, "settingsTimeoutMs">;
  /** Throws when the session takes no changes any more. */
  assertOpen(): void;
  /** No change is under way any more. */
  settled(): void;
}

export class SettingsChanges {
  readonly #options: SettingsChangesOptions;
  #last: Promise<void> = Promise.resolve();
  #count = 0;

  constructor(options: SettingsChangesOptions) {
    this.#options = options;
  }

  /** While this is so no turn is begun: it would begin with settings nobody is sure of. */
  get isUnderWay(): boolean {
    return this.#count > 0;
  }

  /**
   * Resolves when what `settle` gives is in force, or stored for an agent that does not run. Else nothing of it is
   * stored. Changes are made in the order of the calls.
   */
  async change(settle: () => Promise<AgentSettings>): Promise<void> {
    this.#count += 1;
    const running = this.#last.then(() => this.#change(settle)).finally(() => this.#end());
    this.#last = running.catch(() => {});
    await this.#options.log.durable(running);
  }

  #end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#options.settled();
  }

  /** Resolves when no change is under way. */
  async settled(): Promise<void> {
    while (this.isUnderWay) await this.#last;
  }

  /** A daemon or an agent that died left a change unanswered: it holds for the next agent. */
  keepRequested(): void {
    const { log } = this.#options;
    const { requested } = log.state;
    if (requested)
      log.act((machine) => machine.emit({ type: "session.updated", ...requested, requested: {} }));
  }

  async #change(settle: () => Promise<AgentSettings>): Promise<void> {
    const { log, connection, assertOpen } = this.#options;
    const wanted = await settle();
    // An agent that is being started tells its own settings when it is ready; what is wanted now comes after that.
    if (connection.isConnecting) await connection.connect();
    assertOpen();
    if (!connection.hasAgent) {
      this.#assertKnownMode(wanted.mode);
      log.act((machine) => machine.emit({ type: "session.updated", ...wanted }));
      return;
    }
    const known = givenSettings(log.state);
    log.act((machine) => machine.emit({ type: "session.updated", requested: wanted }));
    const delivery = await this.#request(wanted);
    // What the agent said with its answer is heard first, and what it has told is what is in force.
    await new Promise((resolve) => setImmediate(resolve));
    if (log.state.closed) return assertOpen();
    if (!delivery.delivered && isGone(delivery.error)) return this.keepRequested();
    const untold = SETTINGS.filter((name) => log.state[name] === known[name]);
    const taken = delivery.delivered ? pick(wanted, untold) : {};
    log.act((machine) => machine.emit({ type: "session.updated", ...taken, requested: {} }));
    if (delivery.delivered) return;
    // Whoever is told that nothing is stored must be able to rely on it.
    await log.flush();
    throw this.#refusal(delivery.error);
  }

  /** An agent that does not answer must not keep everybody waiting. Should it answer later, the log says so then. */
  async #request(wanted: AgentSettings): Promise<Delivery> {
    const { log, connection, limits } = this.#options;
    const ready = log.flush();
    const late = Promise.withResolvers<Delivery>();
    let timer: NodeJS.Timeout | undefined;
    const begin = () => {
      const seconds = limits.settingsTimeoutMs / 1000;
      const detail = `The agent did not say within ${seconds} seconds whether it takes the change. Look at the session, then try again.`;
      const error = new InterlinguaError("agent_timeout", detail);
      timer = setTimeout(() => late.resolve({ delivered: false, error }), limits.settingsTimeoutMs);
    };
    ready.then(begin, () => {});
    try {
      return await Promise.race([connection.send({ type: "configure", ...wanted }, ready), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #refusal(error: unknown): InterlinguaError {
    const code = InterlinguaError.isInstance(error) ? error.code : "agent_failed";
    if (code === "agent_timeout" || code === "store_unavailable") return error as InterlinguaError;
    const reason = this.#options.connection.mask.text(errorText(error));
    const isRefused = code === "unsupported";
    return isRefused
      ? new InterlinguaError("unsupported", `The agent did not take the change: ${reason}`)
      : new InterlinguaError("agent_failed", `The agent could not be told of the change: ${reason}`);
  }

  /** Of an agent that does not run it is known what it offered when it last did. */
  #assertKnownMode(mode: string | undefined): void {
    const { connection, log } = this.#options;
    const offered = log.state.modes?.map(({ id }) => id) ?? [];
    const known = [...connection.capabilities.modes, ...offered];
    if (mode === undefined || offered.length === 0 || known.includes(mode)) return;
    const detail = `${log.state.agent} has no mode "${mode}". When it last ran it had: ${offered.join(", ")}.`;
    throw new InterlinguaError("unsupported", detail);
  }
}

/** Those of them that are given. */
export function givenSettings(source: AgentSettings): AgentSettings {
  return pick(source, SETTINGS);
}

function pick(source: AgentSettings, names: readonly (typeof SETTINGS)[number][]): AgentSettings {
  const given = names.filter((name) => source[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, source[name]]));
}

/** The agent went before it answered. */
function isGone(error: unknown): boolean {
  return InterlinguaError.isInstance(error) && error.code === "session_closed";
}
