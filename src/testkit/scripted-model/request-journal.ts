/** The requests a scripted model got, in order, and how each ended. */
import { until } from "../until.ts";
import type { ModelRequest } from "./model-api.ts";

export interface JournalEntry extends ModelRequest {
  /** The script it was answered with; absent: the fallback. */
  readonly script?: string;
  readonly step?: number;
  /** How often this step of this script was asked for, this time included. */
  readonly attempt: number;
  /** `failed`: by the script. `aborted`: the client left before the end. */
  outcome: "open" | "answered" | "failed" | "aborted";
}

export class RequestJournal {
  readonly entries: JournalEntry[] = [];

  /** The request with this number, from 0, as soon as it has come. */
  async wait(index: number): Promise<JournalEntry> {
    await until(() => this.entries.length > index);
    return this.entries[index]!;
  }

  attemptsOf(script: string | undefined, step: number | undefined): number {
    return this.entries.filter((entry) => entry.script === script && entry.step === step).length;
  }
}
