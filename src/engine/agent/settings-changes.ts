/**
 * Changes of model, modes and other settings. They go to the agent one at a time. A client's change is committed as a
 * request before the agent is told, and as a setting when it is in force.
 */
import type { AgentSettings } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { QueuedPrompt, SessionState } from "../../core/session-state.ts";
import type { SettingValue, SettingValues } from "../../core/setting.ts";
import type { EngineLimits } from "../limits.ts";
import { PromptSettings } from "../prompts/prompt-settings.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { AgentConnection } from "./agent-connection.ts";
import { assertSettingsOffered, filterValues, isEmpty, settingsWith } from "./agent-setting-values.ts";
import { isGone, SettingsRequest } from "./settings-request.ts";

const WORDS = ["model", "mode", "permissionMode"] as const;

const MAX_CHOSEN_SETTINGS = 100;

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
  readonly #request: SettingsRequest;
  readonly #ofPrompts: PromptSettings;
  #last: Promise<void> = Promise.resolve();
  #count = 0;

  constructor(options: SettingsChangesOptions) {
    this.#options = options;
    this.#request = new SettingsRequest(options);
    this.#ofPrompts = new PromptSettings(options.log, options.connection, this.#request);
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
  async change(settle: () => Promise<AgentSettings>, released: readonly string[], by: string): Promise<void> {
    await this.#options.log.durable(this.#inOrder(() => this.#change(settle, released, by)));
  }

  isDue(prompt?: QueuedPrompt): boolean {
    return this.#ofPrompts.isDue(prompt);
  }

  forgetRestored(prompt?: QueuedPrompt): void {
    this.#ofPrompts.forgetRestored(prompt);
  }

  /**
   * Sends the agent the settings the prompt needs, or, without a prompt, those of the session. Calls `done` before
   * anything else goes on, with the reason if the agent refused; not at all if the agent is gone.
   */
  prepare(prompt: QueuedPrompt | undefined, done: (refusal?: InterlinguaError) => void): void {
    this.#inOrder(() => this.#ofPrompts.prepare(prompt, done)).catch(() => {});
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

  async #change(
    settle: () => Promise<AgentSettings>,
    released: readonly string[],
    by: string,
  ): Promise<void> {
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
      log.act((machine) => machine.emit({ type: "session.updated", ...kept, by }));
      return;
    }
    const known = { ...log.state };
    const requested = { ...words, ...(!isEmpty(changes) && { settings: changes }) };
    log.act((machine) => machine.emit({ type: "session.updated", requested, by }));
    const delivery = await this.#request.send(wanted);
    if (log.state.closed) return assertOpen();
    if (!delivery.delivered && isGone(delivery.error)) return this.keepRequested();
    const untold = WORDS.filter((name) => log.state[name] === known[name]);
    const taken = delivery.delivered
      ? {
          ...pick(words, untold),
          settings: settingsWith(log.state, settings, known.settings),
          ...this.#choice(changes),
        }
      : {};
    log.act((machine) => machine.emit({ type: "session.updated", ...taken, requested: {}, by }));
    if (delivery.delivered) return;
    // If a client is told that nothing is stored, that must be true.
    await log.flush();
    throw this.#request.refusal(delivery.error);
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
