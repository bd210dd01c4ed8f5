/**
 * Errors that nobody caught, of code that the config named: told apart from ours by the asynchronous context they arose in. One ends
 * the session it belongs to, and never the daemon.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { AdapterLogger } from "./adapter-module.ts";

/** How many errors of one scope are logged; a broken timer would fill a disk. */
const MAX_LOGGED = 10;

/** Code of a module at work: for one session, or for none. */
export interface ModuleScope {
  readonly agent: string;
  readonly session?: string;
  /** Called at the first error. It must not throw. */
  fail?(error: unknown): void;
}

export class ModuleErrors {
  readonly #logger: AdapterLogger;
  readonly #scopes = new AsyncLocalStorage<ModuleScope>();
  readonly #logged = new WeakMap<ModuleScope, number>();

  constructor(logger: AdapterLogger) {
    this.#logger = logger;
  }

  /** Runs code of a module. What it starts belongs to the scope, too. */
  run<Result>(scope: ModuleScope, action: () => Result): Result {
    return this.#scopes.run(scope, action);
  }

  /** Whether the error that nobody caught, and that is being reported now, is a module's. Then it was dealt with. */
  take(error: unknown): boolean {
    const scope = this.#scopes.getStore();
    if (scope === undefined) return false;
    const logged = this.#logged.get(scope) ?? 0;
    this.#logged.set(scope, logged + 1);
    const { agent, session } = scope;
    if (logged < MAX_LOGGED)
      this.#logger.error({ err: error, agent, session }, "an error in the module of an agent was not caught");
    scope.fail?.(error);
    return true;
  }

  /** Has the process tell of its errors. Others end it, as they do without this. */
  listen(): Disposable {
    const onError = (error: unknown) => {
      if (!this.take(error)) throw error;
    };
    process.on("uncaughtException", onError).on("unhandledRejection", onError);
    return {
      [Symbol.dispose]: () =>
        void process.off("uncaughtException", onError).off("unhandledRejection", onError),
    };
  }
}
