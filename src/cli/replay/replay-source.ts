/** What can be replayed: a session, or a recording in a file. */
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { PROTOCOLS } from "../../agents/registry.ts";
import type { ReplayOptions } from "../../agents/replay/record-replay.ts";
import { RecordingReader } from "../../agents/replay/recording-reader.ts";
import type { AgentProtocol } from "../../agents/transport/agent-protocol.ts";
import { resolveConfig } from "../../config/resolve-config.ts";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import { sessionIdSchema } from "../../core/identifier.ts";
import { ownValue } from "../../core/own-value.ts";
import type { RawRecord } from "../../core/raw-record.ts";
import { LineSplitter, readableText } from "../../process/line-splitter.ts";
import type { Invocation } from "../command.ts";
import { openReader } from "../open-reader.ts";
import type { Reader } from "../reader.ts";
import { resolveSession } from "../resolve-session.ts";
import { UsageError } from "../usage-error.ts";

export interface ReplaySource {
  readonly protocol: AgentProtocol;
  readonly options: ReplayOptions;
  /** The agent still runs, so more may follow. */
  readonly isOpen: boolean;
  records(): AsyncIterable<RawRecord>;
  /** The log to compare the replay with, and where it comes from. Throws when there is none. */
  stored(): Promise<{ events: SessionEvent[]; from: string }>;
  /** Idempotent. */
  close(): Promise<void>;
}

const RECORDING = ".recording.jsonl";
const EVENTS = ".events.jsonl";

/** The caller closes it. */
export async function openReplaySource(invocation: Invocation): Promise<ReplaySource> {
  const name = invocation.positionals[0]!;
  const agent = invocation.flags.text("agent");
  const path = resolve(invocation.cwd, name);
  if (existsSync(path)) return recordingSource(invocation, path, agent);
  if (!sessionIdSchema.safeParse(name).success || name.endsWith(".jsonl")) {
    throw new Error(`There is no file ${path}. Give a recording, or the id of a session.`);
  }
  return sessionSource(invocation, await openReader(invocation), name, agent);
}

async function sessionSource(
  invocation: Invocation,
  reader: Reader,
  name: string,
  agent: string | undefined,
): Promise<ReplaySource> {
  try {
    const id = await resolveSession(reader, name);
    const { attached, agent: own } = await reader.session(id);
    const created = await firstEvent(reader, id);
    return {
      protocol: protocolOf(invocation, agent ?? own),
      options: { session: id, created },
      isOpen: attached,
      records: () => reader.records(id),
      stored: async () => ({ events: await readEvents(reader, id), from: `session "${id}"` }),
      close: () => reader.close(),
    };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

function recordingSource(invocation: Invocation, path: string, agent: string | undefined): ReplaySource {
  if (!statSync(path).isFile()) throw new Error(`${path} is not a file. Give a recording.`);
  if (agent === undefined) {
    throw new UsageError(`--agent: a recording does not name its agent. Give one of ${agentNames()}.`);
  }
  const protocol = protocolOf(invocation, agent);
  return {
    protocol,
    options: {},
    isOpen: false,
    records: () => readFile(path, protocol),
    async stored() {
      const file = path.endsWith(RECORDING) ? `${path.slice(0, -RECORDING.length)}${EVENTS}` : undefined;
      if (file !== undefined && existsSync(file)) return { events: readEventFile(file), from: file };
      throw new Error(
        `There is nothing to compare ${path} with: of X${RECORDING} that is X${EVENTS} beside it.`,
      );
    },
    close: () => Promise.resolve(),
  };
}

async function* readFile(path: string, { processPerTurn }: AgentProtocol): AsyncGenerator<RawRecord> {
  const reader = new RecordingReader({ processPerTurn });
  for await (const line of readLines(path)) {
    let record: RawRecord | undefined;
    try {
      record = reader.read(line);
    } catch (error) {
      throw new Error(`${path} is not a recording. ${(error as Error).message}`, { cause: error });
    }
    if (record) yield record;
  }
}

/** Not with `readline`: it also ends a line at U+2028, which may stand inside what an agent said. */
async function* readLines(path: string): AsyncGenerator<string> {
  const splitter = new LineSplitter({ maxLineBytes: Number.POSITIVE_INFINITY });
  for await (const chunk of createReadStream(path)) {
    yield* splitter.push(chunk).map(readableText);
  }
  yield* splitter.end().map(readableText);
}

function readEventFile(path: string): SessionEvent[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    if (line === "") return [];
    try {
      return [JSON.parse(line) as SessionEvent];
    } catch {
      throw new Error(`Line ${index + 1} of ${path} is not JSON. Write one event per line.`);
    }
  });
}

async function readEvents(reader: Reader, session: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const json of reader.events(session, 0)) events.push(JSON.parse(json));
  return events;
}

/** A session's first event has its options. */
async function firstEvent(reader: Reader, id: string): Promise<ReplayOptions["created"]> {
  for await (const json of reader.events(id, 0)) {
    const {
      session: _session,
      seq: _seq,
      at: _at,
      type: _type,
      ...created
    } = JSON.parse(json) as EventOf<"session.created">;
    return created;
  }
  return undefined;
}

/** For a custom agent: the protocol the config names. */
function protocolOf({ flags, environment, cwd }: Invocation, agent: string): AgentProtocol {
  const known = PROTOCOLS.get(agent);
  if (known) return known;
  const { agents } = resolveConfig({ flags: { ...flags.values, agent: undefined }, environment, cwd });
  const protocol = PROTOCOLS.get(ownValue(agents, agent)?.protocol ?? "");
  if (protocol) return { ...protocol, name: agent };
  throw new UsageError(
    `--agent: nobody here understands "${agent}". If it is an agent of a config, name that file with --config; else give one of ${agentNames()}.`,
  );
}

function agentNames(): string {
  return [...PROTOCOLS.keys()].join(", ");
}
