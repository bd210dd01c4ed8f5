/**
 * Whether what an agent has of its conversation may have secrets that this process never knew, and so cannot mask: they were given
 * before it was started, or at another node. What the agent writes later has none but those that are masked in the log, too.
 */
import type { BackendAdapter } from "../../core/adapter.ts";
import { readLog } from "../../core/read-log.ts";
import type { Services } from "../engine-services.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { tellsOfSecret } from "../secrets/placeholder.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { StoredMemory } from "./stored-memory.ts";

export interface MemorySecretsOptions {
  log: SessionLog;
  adapter: Pick<BackendAdapter, "memory">;
  services: Pick<Services, "store" | "slices">;
  secrets: Pick<KnownSecrets, "isComplete">;
}

export class MemorySecrets {
  readonly #options: MemorySecretsOptions;
  /** What follows was written while all were known. */
  readonly #head: number;
  readonly #hadEnvironment: boolean;
  /** Whether there ever were any, once that was looked for. */
  #hadSecrets: boolean | undefined;
  /** Whether all of the agent's conversation was written while they were known. */
  #areKnown = true;

  constructor(options: MemorySecretsOptions) {
    const { head, env = [] } = options.log.state;
    this.#options = options;
    this.#head = head;
    this.#hadEnvironment = env.length > 0;
  }

  /** The agent begins a conversation of its own. */
  begins(): void {
    this.#areKnown = true;
  }

  /** The agent goes on with a conversation, or with a copy of one. */
  resumes(): void {
    const { secrets, adapter } = this.#options;
    this.#areKnown = secrets.isComplete || adapter.memory?.keepsPlaceholders === true;
  }

  get areKnown(): boolean {
    return this.#areKnown;
  }

  /** What is stored of this session, or of the one that it is a copy of. */
  lookAt({ contents }: StoredMemory): void {
    if (this.#options.secrets.isComplete) return;
    for (const data of contents.values())
      if (tellsOfSecret(Buffer.from(data).toString())) this.#hadSecrets = true;
  }

  /** Reads the log, once. Rejects where that cannot be read. */
  async mayBeUnknown(): Promise<boolean> {
    if (this.#areKnown) return false;
    this.#hadSecrets ??= this.#hadEnvironment || (await this.#logTellsOfSecret());
    return this.#hadSecrets;
  }

  async #logTellsOfSecret(): Promise<boolean> {
    const { log, services } = this.#options;
    for await (const page of readLog(services.store, log.state.id, 0, this.#head)) {
      if (page.some(({ json }) => tellsOfSecret(json))) return true;
      await services.slices.pause();
    }
    return false;
  }
}
