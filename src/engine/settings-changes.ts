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
import {
  assertSettingsOffered,
  dueValues,
  isOffered,
  overriddenBy,
  settingValue,
} from "./agent-setting-values.ts";
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

/** What is known about one process of the agent alone. */
interface ProcessKnowledge {
  generation: number;
  /** Settings whose change it did not answer in time: it may still make it. */
  doubtful: Set<string>;
  /** The values it did not put into force when it was last prepared, as JSON. */
  unmet?: { prompt: QueuedPrompt | undefined; values: string };
}

export class SettingsChanges {
  readonly #options: SettingsChangesOptions;
  #ofProcess: ProcessKnowledge = { generation: 0, doubtful: new Set() };
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

  /**
   * Whether the agent has to be given settings for this prompt, or, without a prompt, those of the session. What it did
   * not put into force is tried once more for each prompt.
   */
  isDue(prompt?: QueuedPrompt): boolean {
    const due = this.#due(prompt);
    if (isEmpty(due)) return false;
    const { unmet } = this.#process;
    const isTried = unmet?.values === JSON.stringify(due) && (!prompt || unmet.prompt === prompt);
    return !isTried;
  }

  /** Once nothing is due, only what the prompt itself overrides is still to be restored. */
  forgetRestored(prompt?: QueuedPrompt): void {
    const { overridden } = this.#options.log.state;
    if (!overridden || !isEmpty(this.#due(prompt))) return;
    this.#remember(filterValues(overridden, (id) => Object.hasOwn(prompt?.settings ?? {}, id)));
  }

  #due(prompt: QueuedPrompt | undefined): SettingValues {
    return dueValues(this.#options.log.state, prompt, this.#process.doubtful);
  }

  get #process(): ProcessKnowledge {
    const { generation } = this.#options.log.state;
    if (this.#ofProcess.generation !== generation) this.#ofProcess = { generation, doubtful: new Set() };
    return this.#ofProcess;
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
    const kept = { ...words, ...this.#choice(settings) };
    log.act((machine) => machine.emit({ type: "session.updated", ...kept, requested: {} }));
  }

  async #change(settle: () => Promise<AgentSettings>, released: readonly string[]): Promise<void> {
    const { log, connection, assertOpen } = this.#options;
    const wanted = await settle();
    const { settings, ...words } = wanted;
    // An agent that is starting reports its own settings when it is ready; the change comes after that.
    if (connection.isConnecting) await connection.connect();
    assertOpen();
    // What another model offers only the agent knows.
    const isSameModel = words.model === undefined || words.model === log.state.model;
    if (isSameModel) assertSettingsOffered(log.state, settings);
    assertFewSettings({ ...log.state.chosen, ...settings });
    const isNothingToTell = Object.keys(givenSettings(wanted)).length === 0;
    const changes = { ...settings, ...Object.fromEntries(released.map((id) => [id, null])) };
    if (!connection.hasAgent || isNothingToTell) {
      this.#assertKnownMode(wanted.mode);
      const kept = { ...words, ...this.#choice(changes) };
      log.act((machine) => machine.emit({ type: "session.updated", ...kept }));
      return;
    }
    const known = { ...log.state };
    const requested = { ...words, ...(!isEmpty(changes) && { settings: changes }) };
    log.act((machine) => machine.emit({ type: "session.updated", requested }));
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
          ...this.#choice(changes),
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
    try {
      assertSettingsOffered(state, asked);
    } catch (error) {
      this.#noteUnmet(prompt);
      return done(error as InterlinguaError);
    }
    this.#giveUpUnoffered();
    // The former settings are durable before the agent is told to change them.
    this.#remember({ ...state.overridden, ...overriddenBy(state, prompt) });
    const due = this.#due(prompt);
    const isGiven = await this.#restore(filterValues(due, (id) => !Object.hasOwn(asked, id)));
    if (!isGiven) return;
    const delivery = await this.#give(filterValues(due, (id) => Object.hasOwn(asked, id)));
    if (state.closed || (!delivery.delivered && isGone(delivery.error))) return;
    this.#noteUnmet(prompt);
    done(delivery.delivered ? undefined : this.#refusal(delivery.error));
  }

  /**
   * No client waits for this change: if it is refused, a prompt goes on with what is in force, and it is tried again
   * before the next. False if the agent is gone.
   */
  async #restore(values: SettingValues): Promise<boolean> {
    const { log, connection } = this.#options;
    const delivery = await this.#give(values);
    if (log.state.closed || (!delivery.delivered && isGone(delivery.error))) return false;
    if (delivery.delivered)
      this.#remember(filterValues(log.state.overridden, (id) => !Object.hasOwn(values, id)));
    else connection.notice("warning", "configure", this.#refusal(delivery.error).message);
    return true;
  }

  /** What the agent does not offer any more cannot be restored. */
  #giveUpUnoffered(): void {
    const { log, connection } = this.#options;
    const { state } = log;
    const kept = filterValues(state.overridden, (id, value) => isOffered(state, id, value));
    const lost = filterValues(state.overridden, (id) => !Object.hasOwn(kept, id));
    if (isEmpty(lost)) return;
    this.#remember(kept);
    const names = Object.entries(lost).map(([id, value]) => `${id}: ${value}`);
    const text = `${state.agent} does not offer ${names.join(", ")} any more, which was set before the last prompt.`;
    connection.notice("warning", "configure", text);
  }

  async #give(values: SettingValues): Promise<Delivery> {
    if (isEmpty(values)) return { delivered: true };
    const { log } = this.#options;
    const { settings: known } = log.state;
    const delivery = await this.#request({ settings: values });
    await new Promise((resolve) => setImmediate(resolve));
    const settings = delivery.delivered ? this.#settingsWith(values, known) : undefined;
    if (settings && !log.state.closed)
      log.act((machine) => machine.emit({ type: "session.updated", settings }));
    return delivery;
  }

  #noteUnmet(prompt: QueuedPrompt | undefined): void {
    this.#process.unmet = { prompt, values: JSON.stringify(this.#due(prompt)) };
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

  /** What a session chooses after these changes, and what is still to be restored: not what a client has set since. */
  #choice(changes: WantedSettings["settings"] = {}): Pick<SessionState, "chosen" | "overridden"> {
    if (isEmpty(changes)) return {};
    const { chosen, overridden } = this.#options.log.state;
    const given = givenSettings({ settings: changes }).settings ?? {};
    const isSetSince = Object.keys(given).some((id) => Object.hasOwn(overridden ?? {}, id));
    return {
      chosen: filterValues({ ...chosen, ...given }, (id) => changes[id] !== null),
      ...(isSetSince && { overridden: filterValues(overridden, (id) => !Object.hasOwn(given, id)) }),
    };
  }

  /** An agent that does not answer must not keep everybody waiting. A late answer is recorded when it comes. */
  async #request(wanted: AgentSettings): Promise<Delivery> {
    const { log, connection, limits } = this.#options;
    const ready = log.flush();
    const { doubtful } = this.#process;
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
      if (delivery.delivered) for (const id of ids) doubtful.delete(id);
      return delivery;
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

function filterValues(
  values: SettingValues = {},
  isKept: (id: string, value: SettingValue) => boolean,
): SettingValues {
  return Object.fromEntries(Object.entries(values).filter(([id, value]) => isKept(id, value)));
}

function isEmpty(values: object): boolean {
  return Object.keys(values).length === 0;
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
