/** An agent's own messages → events of a session: the agent's translator and the session machine, without an agent. */
import { RecordReplay } from "../agents/replay/record-replay.ts";
import type { AgentProtocol } from "../agents/transport/agent-protocol.ts";
import { parseLine } from "../agents/transport/line-text.ts";
import type { SessionEvent } from "../core/event.ts";
import type { RawRecord } from "../core/raw-record.ts";
import type { Fields, NativeForm, NativeReader, NativeRecord } from "./form.ts";
import { NativeCallIds } from "./native-call-ids.ts";

/** What went to the agent, among what it said. Made by `sent`. */
export class SentMessage {
  readonly message: object | string;

  constructor(message: object | string) {
    this.message = message;
  }
}

/** A message as an object or as its line of JSON. */
export type NativeMessage = object | string;

export interface NativeEventsOptions {
  /** Gives the ids of messages; random ones when left out. */
  readonly generateId?: () => string;
  /** The id of the session in your own storage. */
  readonly storageSessionId?: string;
}

/** One conversation, from its beginning. */
export class NativeEvents {
  readonly #reader: NativeReader;
  readonly #replay: RecordReplay<unknown>;
  readonly #callIds = new NativeCallIds();
  readonly #unprompted = new UnpromptedTurns();
  #records = 0;

  constructor(protocol: AgentProtocol, form: NativeForm, options: NativeEventsOptions = {}) {
    this.#reader = form.createReader();
    const { storageSessionId: session = "native", generateId: newId = () => crypto.randomUUID() } = options;
    this.#replay = new RecordReplay(ignoringAssumed(protocol), { session, newId });
  }

  /** The events of the next message. */
  add(native: NativeMessage): SessionEvent[] {
    const isSent = native instanceof SentMessage;
    const message = isSent ? native.message : native;
    const fields = readFields(message);
    if (fields) return this.#add(this.#reader.read(fields, isSent));
    return this.#add([{ direction: isSent ? "out" : "in", data: String(message) }]);
  }

  /** The events of what was held back to see what follows. */
  flush(): SessionEvent[] {
    return this.#add(this.#reader.flush?.() ?? []);
  }

  /** The events at the end, where nothing follows. A turn that runs has failed: nobody will say how it ended. */
  end(): SessionEvent[] {
    const last = [...this.flush(), ...this.#add(this.#reader.end?.() ?? [])];
    // Without a record there is no session to end.
    return this.#records === 0 ? last : [...last, ...this.#callIds.apply(this.#replay.end())];
  }

  #add(records: readonly NativeRecord[]): SessionEvent[] {
    return records.flatMap((record) => {
      this.#records += 1;
      const place = { rawSeq: this.#records, generation: 1, at: Date.now() };
      const { isInTurn, ...made } = record;
      const begun = isInTurn ? this.#replay.beginTurn(place) : [];
      const events = [...begun, ...this.#replay.add({ ...place, ...made } as AssumedRecord)];
      return this.#callIds.apply(this.#unprompted.apply(events));
    });
  }
}

/** Undefined for a line that is no JSON object. */
export function readFields(message: NativeMessage): Fields | undefined {
  if (typeof message !== "string") return message as Fields;
  const line = parseLine(message);
  return line.kind === "message" ? line.message : undefined;
}

type AssumedRecord = RawRecord & { readonly isAssumed?: true };

/** What is only assumed to have been said carries no command of a person. */
function ignoringAssumed(protocol: AgentProtocol): AgentProtocol {
  return {
    ...protocol,
    decodeCommands: (state, record) =>
      (record as AssumedRecord).isAssumed ? [] : protocol.decodeCommands(state, record),
  };
}

/** Why a turn began, where only its prompt is missing. */
const OUT_OF_SIGHT: readonly string[] = ["output", "exec"];

/** Turns whose prompt was not shown: here somebody asked for them, so nothing is said about who began them. */
class UnpromptedTurns {
  /** The messages that are left out. */
  readonly #hidden = new Set<string>();

  apply(events: readonly SessionEvent[]): SessionEvent[] {
    return events.flatMap((event): SessionEvent[] => {
      if (event.type === "message.system" && OUT_OF_SIGHT.includes(event.cause)) {
        this.#hidden.add(event.message);
        return [];
      }
      if (event.type !== "message.started" || !this.#hidden.has(event.replyTo)) return [event];
      const { replyTo: _hidden, ...rest } = event;
      return [rest as SessionEvent];
    });
  }
}
