/** The border between the daemon and a dialect from outside: whose an error is follows from the side on which it arose. */
import { InterlinguaError } from "../../core/error.ts";
import type { ModuleErrors, ModuleScope } from "../../modules/module-errors.ts";

export class ModuleCalls {
  readonly dialect: string;
  readonly #errors: ModuleErrors;
  readonly #scope: ModuleScope;

  constructor(dialect: string, errors: ModuleErrors, fail?: () => void) {
    this.dialect = dialect;
    this.#errors = errors;
    this.#scope = { dialect, ...(fail && { fail }) };
  }

  /** Calls for one stream, which `fail` ends. */
  with(fail: () => void): ModuleCalls {
    return new ModuleCalls(this.dialect, this.#errors, fail);
  }

  /** Runs code of the module. */
  enter<Result>(action: () => Result): Result {
    return this.#errors.run(this.#scope, action);
  }

  /** Runs our own code that the module called. */
  leave<Result>(action: () => Result): Result {
    return this.#errors.exit(action);
  }

  /** A function of the module that is called where nobody handles errors. It never throws, and its promise is awaited. */
  listener<Args extends readonly unknown[]>(given: (...args: Args) => unknown): (...args: Args) => void {
    return (...args) => {
      this.settle(() => given(...args), "a listener of a dialect failed");
    };
  }

  /** Runs code of the module whose result nobody needs. */
  settle(action: () => unknown, message: string): void {
    const failed = (error: unknown) => {
      this.note(error, message);
      this.#scope.fail?.(error);
    };
    try {
      Promise.resolve(this.enter(action)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  note(error: unknown, message: string): void {
    this.#errors.note(this.#scope, error, message);
  }

  /** For clients, who are not told details. */
  failure(): InterlinguaError {
    return new InterlinguaError(
      "internal",
      `The dialect "${this.dialect}" failed. The daemon's log says why.`,
    );
  }
}
