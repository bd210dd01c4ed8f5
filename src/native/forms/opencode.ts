/** OpenCode: events of its server's bus, messages as its server stores them, or lines of `opencode run --format json`. */
import { promptParts } from "../../agents/opencode/inbound/prompt.ts";
import {
  assumed,
  type Fields,
  fieldsOf,
  heard,
  inTurn,
  type NativeForm,
  type NativeReader,
  type NativeRecord,
  sent,
  textOf,
} from "../form.ts";

/** Beyond the ids of requests that are shown. */
const ASSUMED_ID = 1_000_000;

export const opencode: NativeForm = {
  createReader: () => new OpenCodeReader(),
  idOf: ({ info }) => textOf(fieldsOf(info).id),
  toInput: (parts) => ({ parts: promptParts(parts) }),
};

class OpenCodeReader implements NativeReader {
  #session: string | undefined;
  #isRun = false;
  #requests = 0;
  /** Prompts that others sent are only known by their messages. */
  readonly #users = new Set<unknown>();
  readonly #hasRequests = new Set<unknown>();
  /** One that is being told, and its parts so far. */
  #prompt: { readonly id: unknown; readonly parts: unknown[]; readonly told: NativeRecord[] } | undefined;

  read(message: Fields, isSent: boolean): readonly NativeRecord[] {
    if (isSent || message.kind !== undefined) return this.#readEnvelope(message, isSent);
    if (message.info !== undefined && Array.isArray(message.parts))
      return eventsOf(fieldsOf(message.info), message.parts).flatMap((event) => this.#readEvent(event));
    const event = fieldsOf(message.payload ?? message);
    if (event.properties !== undefined) return this.#readEvent(event);
    this.#isRun ||= message.sessionID !== undefined;
    return [this.#isRun ? inTurn(heard(message)) : heard(message)];
  }

  flush(): readonly NativeRecord[] {
    return this.#takePrompt();
  }

  /** `opencode run` says that a turn is over by leaving. */
  end(): readonly NativeRecord[] {
    return this.#isRun ? [{ direction: "process", data: { event: "exit", code: 0 } }] : [];
  }

  #readEnvelope(message: Fields, isSent: boolean): readonly NativeRecord[] {
    if (isSent) this.#hasRequests.add(fieldsOf(message.msg).id);
    return [isSent ? sent(message) : heard(message)];
  }

  #readEvent(event: Fields): readonly NativeRecord[] {
    const properties = fieldsOf(event.properties);
    const record = heard({ kind: "sse", stream: "event", msg: event });
    const opening = this.#openingOf(textOf(properties.sessionID));
    const part = fieldsOf(properties.part);
    if (event.type === "message.updated" && this.#isNewUser(fieldsOf(properties.info))) {
      const { id } = fieldsOf(properties.info);
      const before = this.#takePrompt();
      this.#users.add(id);
      this.#prompt = { id, parts: [], told: [record] };
      return [...opening, ...before];
    }
    if (this.#prompt && event.type === "message.part.updated" && part.messageID === this.#prompt.id) {
      if (!part.synthetic) this.#prompt.parts.push(part);
      this.#prompt.told.push(record);
      return opening;
    }
    return [...opening, ...this.#takePrompt(), record];
  }

  #isNewUser({ id, role, sessionID }: Fields): boolean {
    const isOwn = sessionID === undefined || sessionID === this.#session;
    return role === "user" && isOwn && this.#hasRequests.size === 0 && !this.#users.has(id);
  }

  /** A prompt that was told is one that was sent. */
  #takePrompt(): NativeRecord[] {
    if (!this.#prompt) return [];
    const { parts, told } = this.#prompt;
    this.#prompt = undefined;
    const path = `/session/${this.#session}/prompt_async`;
    const request = { id: this.#nextRequest(), method: "POST", path, body: { parts } };
    return parts.length === 0 ? told : [sent({ kind: "http", msg: request }), ...told];
  }

  /** The session is named by the answer to a request. Where that was not shown, it is the first that is told about. */
  #openingOf(session: string | undefined): NativeRecord[] {
    if (this.#session !== undefined || session === undefined || this.#hasRequests.size > 0) return [];
    this.#session = session;
    const id = this.#nextRequest();
    return assumed(
      sent({ kind: "http", msg: { id, method: "POST", path: "/session" } }),
      heard({ kind: "http", msg: { id, status: 200, body: { id: session } } }),
    );
  }

  #nextRequest(): number {
    this.#requests += 1;
    return ASSUMED_ID + this.#requests;
  }
}

/** A stored message, as the bus would have told it. */
function eventsOf(info: Fields, parts: readonly unknown[]): Fields[] {
  const { sessionID } = info;
  return [
    { type: "message.updated", properties: { sessionID, info } },
    ...parts.map((part) => ({ type: "message.part.updated", properties: { sessionID, part } })),
  ];
}
