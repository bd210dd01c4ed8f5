/**
 * Changes of model, modes and other settings. They go to the agent one at a time. A client's change is committed as a
 * request before the agent is told, and as a setting when it is in force.
 */
import type { AgentSettings } from "../core/adapter.ts";
import { type ErrorCode, InterlinguaError } from "../core/error.ts";
import type { QueuedPrompt, SessionState } from "../core/session-state.ts";
import { type Setting, type SettingValue, type SettingValues, withSettingValues } from "../core/setting.ts";
import type { AgentConnection } from "./agent-connection.ts";
import type { Delivery } from "./agent-mailbox.ts";
import { assertSettingsOffered, dueValues, overriddenBy, settingValue } from "./agent-setting-values.ts";
import { errorText } from "./error-text.ts";
import type { EngineLimits } from "./limits.ts";
import type { SessionLog } from "./session-log.ts";

const WORDS = ["model", "mode", "permissionMode"] as const;

const MAX_CHOSEN_SETTINGS = 100;

const TOLD_AS_THEY_ARE: readonly ErrorCode[] = ["agent_timeout", "store_unavailable", "option_not_offered"];

/** Settings as clients send them: `null` withdraws the choice of one. */
export interface WantedSettings extends Omit<AgentSettings, "settings"> {
  settings?: Readonly<Record<string, SettingValue | null>>;
}

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

  /** While true no turn begins: its settings would be uncertain. */
  get isUnderWay(): boolean {
    return this.#count > 0;
  }

  /**
   * Resolves when the result of `settle` is in force, or stored for an agent that does not run. Otherwise nothing is
   * stored. The settings in `released` are the agent's own choice again at its next start. Changes are made in the
   * order of the calls.
   */
  async change(settle: () => Promise<AgentSettings>, released: readonly string[] = []): Promise<void> {
    await this.#options.log.durable(this.#inOrder(() => this.#change(settle, released)));
  }

  /** Whether the agent's settings differ from those this prompt needs, or, without a prompt, from the session's. */
  isDue(prompt?: QueuedPrompt): boolean {
    return Object.keys(dueValues(this.#options.log.state, prompt)).length > 0;
  }

  /**
   * Sends the agent the settings the prompt needs, or, without a prompt, those of the session. Calls `done` before
   * anything else goes on, with the reason if the agent refused; not at all if the agent is gone.
   */
  prepare(prompt: QueuedPrompt | undefined, done: (refusal?: InterlinguaError) => void): void {
    this.#inOrder(() => this.#prepare(prompt, done)).catch(() => {});
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    this.#count += 1;
    const running = this.#last.then(work).finally(() => this.#end());
    this.#last = running.catch(() => {});
    return running;
  }

  #end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#options.settled();
  }

  /** Resolves when no change is under way. */
  async settled(): Promise<void> {
    while (this.isUnderWay) await this.#last;
  }

  /** A change left unanswered by a daemon or agent that died applies to the next agent. */
  keepRequested(): void {
    const { log } = this.#options;
    const { requested } = log.state;
    if (!requested) return;
    const { settings, ...words } = requested;
    const chosen = settings && { ...log.state.chosen, ...settings };
    log.act((machine) => machine.emit({ type: "session.updated", ...words, chosen, requested: {} }));
  }

  async #change(settle: () => Promise<AgentSettings>, released: readonly string[]): Promise<void> {
    const { log, connection, assertOpen } = this.#options;
    const wanted = await settle();
    const { settings, ...words } = wanted;
    // An agent that is starting reports its own settings when it is ready; the change comes after that.
    if (connection.isConnecting) await connection.connect();
    assertOpen();
    assertSettingsOffered(log.state, settings);
    assertFewSettings({ ...log.state.chosen, ...settings });
    const isNothingToTell = Object.keys(givenSettings(wanted)).length === 0;
    if (!connection.hasAgent || isNothingToTell) {
      this.#assertKnownMode(wanted.mode);
      const chosen = this.#chosen(settings, released);
      log.act((machine) => machine.emit({ type: "session.updated", ...words, chosen }));
      return;
    }
    const known = { ...log.state };
    log.act((machine) => machine.emit({ type: "session.updated", requested: wanted }));
    const delivery = await this.#request(wanted);
    // What the agent reported with its answer is read first: it says what is in force.
    await new Promise((resolve) => setImmediate(resolve));
    if (log.state.closed) return assertOpen();
    if (!delivery.delivered && isGone(delivery.error)) return this.keepRequested();
    const untold = WORDS.filter((name) => log.state[name] === known[name]);
    const taken = delivery.delivered
      ? {
          ...pick(words, untold),
          settings: this.#settingsWith(settings, known.settings),
          chosen: this.#chosen(settings, released),
        }
      : {};
    log.act((machine) => machine.emit({ type: "session.updated", ...taken, requested: {} }));
    if (delivery.delivered) return;
    // If a client is told that nothing is stored, that must be true.
    await log.flush();
    throw this.#refusal(delivery.error);
  }

  async #prepare(prompt: QueuedPrompt | undefined, done: (refusal?: InterlinguaError) => void) {
    const { log, connection } = this.#options;
    const { state } = log;
    if (!connection.isReady || state.closed) return;
    const asked = { ...state.chosen, ...prompt?.settings };
    const { overridden: former = {}, settings: known } = state;
    const overridden = overriddenBy(state, prompt);
    const values = dueValues(state, prompt);
    try {
      assertSettingsOffered(state, asked);
    } catch (error) {
      return done(error as InterlinguaError);
    }
    // The former settings are durable before the agent is told to change them.
    this.#remember({ ...former, ...overridden });
    const delivery = await this.#request({ settings: values });
    await new Promise((resolve) => setImmediate(resolve));
    if (state.closed || (!delivery.delivered && isGone(delivery.error))) return;
    if (delivery.delivered) {
      const settings = this.#settingsWith(values, known);
      if (settings) log.act((machine) => machine.emit({ type: "session.updated", settings }));
      this.#remember(overridden);
      return done();
    }
    const refusal = this.#refusal(delivery.error);
    const isAsked = Object.keys(values).some((id) => Object.hasOwn(asked, id));
    this.#remember(isAsked ? former : {});
    if (isAsked) return done(refusal);
    // No client waits for this change: the prompt goes on with what is in force.
    connection.notice("warning", "configure", refusal.message);
    done();
  }

  #remember(overridden: SettingValues): void {
    const { log } = this.#options;
    if (JSON.stringify(overridden) === JSON.stringify(log.state.overridden ?? {})) return;
    log.act((machine) => machine.emit({ type: "session.updated", overridden }));
  }

  /** The settings with the values the agent did not report; undefined if it reported all. */
  #settingsWith(values: SettingValues = {}, known: SessionState["settings"]): Setting[] | undefined {
    const { state } = this.#options.log;
    const untold = Object.entries(values).filter(
      ([id, value]) =>
        settingValue(state, id) === settingValue({ settings: known }, id) &&
        settingValue(state, id) !== value,
    );
    return untold.length === 0
      ? undefined
      : withSettingValues(state.settings ?? [], Object.fromEntries(untold));
  }

  /** Undefined if nothing changes. */
  #chosen(values: SettingValues = {}, released: readonly string[]): SettingValues | undefined {
    if (Object.keys(values).length === 0 && released.length === 0) return undefined;
    const all = { ...this.#options.log.state.chosen, ...values };
    return Object.fromEntries(Object.entries(all).filter(([id]) => !released.includes(id)));
  }

  /** An agent that does not answer must not keep everybody waiting. A late answer is recorded when it comes. */
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
    if (TOLD_AS_THEY_ARE.includes(code)) return error as InterlinguaError;
    const reason = this.#options.connection.mask.text(errorText(error));
    const isRefused = code === "unsupported";
    return isRefused
      ? new InterlinguaError("unsupported", `The agent did not take the change: ${reason}`)
      : new InterlinguaError("agent_failed", `The agent could not be told of the change: ${reason}`);
  }

  /** For an agent that does not run, what it last offered is known. */
  #assertKnownMode(mode: string | undefined): void {
    const { connection, log } = this.#options;
    const offered = log.state.modes?.map(({ id }) => id) ?? [];
    const known = [...connection.capabilities.modes, ...offered];
    if (mode === undefined || offered.length === 0 || known.includes(mode)) return;
    const detail = `${log.state.agent} has no mode "${mode}". When it last ran it had: ${offered.join(", ")}.`;
    throw new InterlinguaError("unsupported", detail);
  }
}

/** The settings that have a value. One that is `null` has none. */
export function givenSettings(source: WantedSettings): AgentSettings {
  const values = Object.entries(source.settings ?? {}).filter(([, value]) => value !== null);
  const settings = Object.fromEntries(values) as SettingValues;
  return { ...pick(source, WORDS), ...(values.length > 0 && { settings }) };
}

type Words = Omit<AgentSettings, "settings">;

function pick(source: Words, names: readonly (typeof WORDS)[number][]): Words {
  const given = names.filter((name) => source[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, source[name]]));
}

function assertFewSettings(chosen: SettingValues): void {
  if (Object.keys(chosen).length <= MAX_CHOSEN_SETTINGS) return;
  const message = `may have at most ${MAX_CHOSEN_SETTINGS} that are chosen in one session`;
  throw new InterlinguaError("invalid_request", `settings ${message}. Take some back with null.`, {
    errors: [{ path: "settings", message }],
  });
}

/** The agent was gone before it answered. */
function isGone(error: unknown): boolean {
  return InterlinguaError.isInstance(error) && error.code === "session_closed";
}
