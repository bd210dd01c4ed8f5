/** The settings of a prompt: given to the agent before its turn, and those from before again after it. */
import type { InterlinguaError } from "../../core/error.ts";
import type { QueuedPrompt } from "../../core/session-state.ts";
import type { SettingValues } from "../../core/setting.ts";
import type { AgentConnection } from "../agent/agent-connection.ts";
import type { Delivery } from "../agent/agent-mailbox.ts";
import {
  assertSettingsOffered,
  dueValues,
  filterValues,
  isEmpty,
  isOffered,
  overriddenBy,
  settingsWith,
} from "../agent/agent-setting-values.ts";
import { isGone, type SettingsRequest } from "../agent/settings-request.ts";
import type { SessionLog } from "../session/session-log.ts";

/** The values that a process of the agent did not put into force when it was last prepared, as JSON. */
interface Unmet {
  generation: number;
  prompt: QueuedPrompt | undefined;
  values: string;
}

export class PromptSettings {
  readonly #log: SessionLog;
  readonly #connection: AgentConnection;
  readonly #request: SettingsRequest;
  #unmet: Unmet | undefined;

  constructor(log: SessionLog, connection: AgentConnection, request: SettingsRequest) {
    this.#log = log;
    this.#connection = connection;
    this.#request = request;
  }

  /**
   * Whether the agent has to be given settings for this prompt, or, without a prompt, those of the session. What it did
   * not put into force is tried once more for each prompt.
   */
  isDue(prompt?: QueuedPrompt): boolean {
    const due = this.#due(prompt);
    if (isEmpty(due)) return false;
    const unmet = this.#unmet;
    const isOfProcess = unmet?.generation === this.#log.state.generation;
    const isTried =
      isOfProcess && unmet.values === JSON.stringify(due) && (!prompt || unmet.prompt === prompt);
    return !isTried;
  }

  /** Once nothing is due, only what the prompt itself overrides is still to be restored. */
  forgetRestored(prompt?: QueuedPrompt): void {
    const { overridden } = this.#log.state;
    if (!overridden || !isEmpty(this.#due(prompt))) return;
    this.#remember(filterValues(overridden, (id) => Object.hasOwn(prompt?.settings ?? {}, id)));
  }

  #due(prompt: QueuedPrompt | undefined): SettingValues {
    return dueValues(this.#log.state, prompt, this.#request.doubtful);
  }

  /** As `SettingsChanges.prepare`, when it is its turn. */
  async prepare(prompt: QueuedPrompt | undefined, done: (refusal?: InterlinguaError) => void) {
    const { state } = this.#log;
    if (!this.#connection.isReady || state.closed) return;
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
    done(delivery.delivered ? undefined : this.#request.refusal(delivery.error));
  }

  /**
   * No client waits for this change: if it is refused, a prompt goes on with what is in force, and it is tried again
   * before the next. False if the agent is gone.
   */
  async #restore(values: SettingValues): Promise<boolean> {
    const { state } = this.#log;
    const delivery = await this.#give(values);
    if (state.closed || (!delivery.delivered && isGone(delivery.error))) return false;
    if (delivery.delivered)
      this.#remember(filterValues(state.overridden, (id) => !Object.hasOwn(values, id)));
    else this.#connection.notice("warning", "configure", this.#request.refusal(delivery.error).message);
    return true;
  }

  /** What the agent does not offer any more cannot be restored. */
  #giveUpUnoffered(): void {
    const { state } = this.#log;
    const kept = filterValues(state.overridden, (id, value) => isOffered(state, id, value));
    const lost = filterValues(state.overridden, (id) => !Object.hasOwn(kept, id));
    if (isEmpty(lost)) return;
    this.#remember(kept);
    const names = Object.entries(lost).map(([id, value]) => `${id}: ${value}`);
    const text = `${state.agent} does not offer ${names.join(", ")} any more, which was set before the last prompt.`;
    this.#connection.notice("warning", "configure", text);
  }

  async #give(values: SettingValues): Promise<Delivery> {
    if (isEmpty(values)) return { delivered: true };
    const { state } = this.#log;
    const { settings: known } = state;
    const delivery = await this.#request.send({ settings: values });
    const settings = delivery.delivered ? settingsWith(state, values, known) : undefined;
    if (settings && !state.closed)
      this.#log.act((machine) => machine.emit({ type: "session.updated", settings }));
    return delivery;
  }

  #noteUnmet(prompt: QueuedPrompt | undefined): void {
    const { generation } = this.#log.state;
    this.#unmet = { generation, prompt, values: JSON.stringify(this.#due(prompt)) };
  }

  #remember(overridden: SettingValues): void {
    if (JSON.stringify(overridden) === JSON.stringify(this.#log.state.overridden ?? {})) return;
    this.#log.act((machine) => machine.emit({ type: "session.updated", overridden }));
  }
}
