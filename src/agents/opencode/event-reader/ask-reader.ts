/** Asks the reader of OpenCode's database, and ends it when its time or its room is over. */
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { MAX_MEMORY_BYTES } from "../../../core/adapter-memory.ts";
import { ownProgram } from "../../../package-root.ts";
import { readableText } from "../../../process/line-splitter.ts";
import type { ProcessHost } from "../../../process/process-host.ts";
import { TOO_LARGE } from "./exit-codes.ts";

/** A database of some gigabytes on a slow disk. */
const MAX_READ_MS = 15_000;

/** Lines have more than the data of events. */
const MAX_OUTPUT_BYTES = 2 * MAX_MEMORY_BYTES;

const PROGRAM = ownProgram("agents/opencode/event-reader/main");

export interface ReaderRequest {
  /** The path of the database. */
  readonly path: string;
  readonly session: string;
  readonly maxReadMs?: number;
}

/** The ids of a session's events. None where there is no database. Rejects where it cannot be read. */
export async function readIds(processHost: ProcessHost, request: ReaderRequest): Promise<string[]> {
  const ids: string[] = [];
  await askReader(processHost, request, { what: "ids", take: (line) => ids.push(line) });
  return ids;
}

export interface ReadEvents {
  /** Lines of JSON, each with its line break. */
  readonly data: Buffer;
  /** The last line; undefined where there is none. */
  readonly newest: string | undefined;
}

/** A session's events after one. None where there is no database. Rejects where it cannot be read. */
export async function readEvents(
  processHost: ProcessHost,
  request: ReaderRequest,
  after: number,
): Promise<ReadEvents> {
  const lines: Buffer[] = [];
  let newest: string | undefined;
  const take = (line: string) => {
    newest = line;
    lines.push(Buffer.from(`${line}\n`));
  };
  await askReader(processHost, request, { what: "events", more: [String(after)], take });
  return { data: Buffer.concat(lines), newest };
}

interface Question {
  readonly what: "ids" | "events";
  readonly more?: readonly string[];
  take(line: string): void;
}

async function askReader(
  processHost: ProcessHost,
  { path, session, maxReadMs = MAX_READ_MS }: ReaderRequest,
  { what, more = [], take }: Question,
): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isFile()) throw new Error(`${path} is not a regular file`);
  const child = await processHost.spawn({
    command: process.execPath,
    args: [PROGRAM, what, path, session, ...more],
    cwd: tmpdir(),
    maxLineBytes: MAX_OUTPUT_BYTES,
  });
  const end = () => void child.end({ graceMs: 0 }).catch(() => {});
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, maxReadMs);
  try {
    let room = MAX_OUTPUT_BYTES;
    for await (const line of child.lines) {
      room -= line.kind === "line" ? line.text.length : Number.POSITIVE_INFINITY;
      if (room < 0) throw new Error("it is larger than what is kept");
      take(readableText(line));
    }
    const { code } = await child.exited;
    if (isLate) throw new Error(`${path} could not be read within ${maxReadMs / 1000} seconds`);
    if (code === TOO_LARGE) throw new Error("it is larger than what is kept");
    if (code !== 0) throw new Error(`${path} could not be read: ${reasonIn(child.stderrTail())}`);
  } finally {
    clearTimeout(timer);
    await child.end({ graceMs: 0 });
  }
}

/** Finds the message in the stack that Node prints for an uncaught error. */
function reasonIn(stderr: string): string {
  return /^(?:\w*Error): (.*)$/m.exec(stderr)?.[1] ?? "SQLite did not say why";
}
