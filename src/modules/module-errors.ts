/**
 * Errors that nobody caught, of code that the config named: told apart from ours by the asynchronous context they arose in. One ends
 * what it belongs to, a session or a stream, and never the daemon.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Takes what a module wants to tell whoever runs the daemon. Never give it secrets, prompts or answers. */
export interface ModuleLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** How many errors of one scope are logged; a broken timer would fill a disk. */
const MAX_LOGGED = 10;

/** Code of a module at work. */
export interface ModuleScope {
  /** The agent whose adapter it is. */
  readonly agent?: string;
  /** The dialect that it is. */
  readonly dialect?: string;
  readonly session?: string;
  /** Called at the first error. It must not throw. */
  fail?(error: unknown): void;
}

export class ModuleErrors {
  readonly #logger: ModuleLogger;
  readonly #scopes = new AsyncLocalStorage<ModuleScope>();
  readonly #logged = new WeakMap<ModuleScope, number>();

  constructor(logger: ModuleLogger) {
    this.#logger = logger;
  }

  /** Runs code of a module. What it starts belongs to the scope, too. */
  run<Result>(scope: ModuleScope, action: () => Result): Result {
    return this.#scopes.run(scope, action);
  }

  /** Runs our own code that a module called: what it starts belongs to nobody's scope. */
  exit<Result>(action: () => Result): Result {
    return this.#scopes.exit(action);
  }

  /** Logs an error of a module that was caught, as far as there are not too many. */
  note(scope: ModuleScope, error: unknown, message: string): void {
    const logged = this.#logged.get(scope) ?? 0;
    this.#logged.set(scope, logged + 1);
    const { agent, dialect, session } = scope;
    if (logged < MAX_LOGGED) this.#logger.error({ err: error, agent, dialect, session }, message);
  }

  /** Whether the error that nobody caught, and that is being reported now, is a module's. Then it was dealt with. */
  take(error: unknown): boolean {
    const scope = this.#scopes.getStore();
    if (scope === undefined) return false;
    this.note(scope, error, "an error in a module was not caught");
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
