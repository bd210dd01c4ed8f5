/** Commands an agent does not take yet, in the order they were given. */
import type { Command } from "../../core/command.ts";

interface HeldCommand {
  readonly command: Command;
  resolve(): void;
  reject(error: unknown): void;
}

export class HeldCommands {
  #held: HeldCommand[] = [];

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Settles as the command does when it is given, or rejects with what `rejectAll` is called with. */
  add(command: Command): Promise<void> {
    return new Promise((resolve, reject) => this.#held.push({ command, resolve, reject }));
  }

  /** Gives the commands that need not wait any longer. */
  release(mustWait: (command: Command) => boolean, give: (command: Command) => Promise<void>): void {
    for (const held of this.#held.splice(0)) {
      if (mustWait(held.command)) this.#held.push(held);
      else settle(held, give);
    }
  }

  rejectAll(error: unknown): void {
    for (const { reject } of this.#held.splice(0)) reject(error);
  }
}

/** `give` may also throw. */
function settle({ command, resolve, reject }: HeldCommand, give: (command: Command) => Promise<void>): void {
  try {
    give(command).then(resolve, reject);
  } catch (error) {
    reject(error);
  }
}
