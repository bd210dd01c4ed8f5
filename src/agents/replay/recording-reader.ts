/** Reads a recording line by line, or says which line is wrong. */
import { ZodError } from "zod";
import { InterlinguaError } from "../../core/error.ts";
import type { RawRecord } from "../../core/raw-record.ts";
import { fromRecordingLine } from "./recording.ts";

interface RecordingReaderOptions {
  /** When the recording began, where its lines do not tell; milliseconds since the epoch. */
  readonly startedAt?: number;
  /** The agent runs a process for each turn, so a new one is no new generation. */
  readonly processPerTurn?: boolean;
}

/** A record has the number of its line, so that it is found again. */
export class RecordingReader {
  readonly #options: RecordingReaderOptions;
  #lines = 0;
  #generation = 0;

  constructor(options: RecordingReaderOptions = {}) {
    this.#options = options;
  }

  /** Undefined for an empty line and for a remark. Throws `invalid_request` for what is no line of a recording. */
  read(text: string): RawRecord | undefined {
    this.#lines += 1;
    if (text.trim() === "") return undefined;
    const value = this.#parse(text);
    if (isSpawn(value) && (this.#generation === 0 || !this.#options.processPerTurn)) this.#generation += 1;
    try {
      return fromRecordingLine(value, {
        rawSeq: this.#lines,
        generation: Math.max(1, this.#generation),
        startedAt: this.#options.startedAt ?? 0,
      });
    } catch (error) {
      if (!(error instanceof ZodError)) throw error;
      const [issue] = error.issues;
      const where = issue?.path.join(".") || "the line";
      throw this.#problem(`is no line of a recording (${where}: ${issue?.message})`);
    }
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.#problem("is not JSON");
    }
  }

  #problem(what: string): InterlinguaError {
    const remedy = 'A recording has one object per line, like {"dir":"agent","t":0,"msg":{}}.';
    return new InterlinguaError("invalid_request", `Line ${this.#lines} ${what}. ${remedy}`);
  }
}

function isSpawn(line: unknown): boolean {
  const { dir, msg } = (line ?? {}) as { dir?: unknown; msg?: { event?: unknown } | null };
  return dir === "meta" && msg?.event === "spawn";
}

/** Reads all of a recording that is in memory. */
export function* readRecording(text: string, options?: RecordingReaderOptions): Generator<RawRecord, void> {
  const reader = new RecordingReader(options);
  for (const line of text.split("\n")) {
    const record = reader.read(line);
    if (record) yield record;
  }
}
