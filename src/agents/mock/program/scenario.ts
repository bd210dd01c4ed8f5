/** What a scenario is: a little play for one turn. */
import type { TurnEnding, WireError } from "../wire.ts";
import type { Turn } from "./turn.ts";

export interface Ending {
  readonly reason: TurnEnding;
  readonly error?: WireError;
}

/** Plays a turn. One that is to end badly says so in `turn.ending`. */
export type Play = (turn: Turn) => Promise<void>;

export interface Scenario {
  /** Without `scenario:`; what a prompt gives after a colon is the argument. */
  readonly name: string;
  /** One line for `/help`. */
  readonly summary: string;
  play(turn: Turn, argument: string | undefined): Promise<void>;
}
