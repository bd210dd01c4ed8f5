/** A pause that ends when a test says so. */
import type { StartPause } from "../core/paced-changes.ts";

export class ManualPause {
  #act: (() => void) | undefined;

  readonly start: StartPause = (act) => {
    this.#act = act;
    return () => {
      this.#act = undefined;
    };
  };

  get isRunning(): boolean {
    return this.#act !== undefined;
  }

  /** Nothing happens when none is running. */
  end(): void {
    const act = this.#act;
    this.#act = undefined;
    act?.();
  }
}
