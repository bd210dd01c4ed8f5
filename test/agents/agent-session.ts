/** A session as a client of `/v1` drives it: it prompts, watches the events as they come, and answers asks. */
import type { EventOf, EventType, SessionEvent } from "../../src/core/event.ts";
import { type Answer, call, StreamClient } from "../../src/server/http-client-test-support.ts";

type Ended = EventOf<"turn.ended">;

/** Where the session's daemon is; it may move to another port when it is started again. */
export interface Place {
  readonly url: string;
}

/** A turn from its prompt to its end. */
export interface Turn {
  readonly events: readonly SessionEvent[];
  readonly ended: Ended;
  readonly text: string;
}

export class AgentSession {
  readonly id: string;
  readonly #place: Place;
  #stream: StreamClient | undefined;

  private constructor(place: Place, id: string) {
    this.#place = place;
    this.id = id;
  }

  static async create(place: Place, id: string, fields: object): Promise<AgentSession> {
    const session = new AgentSession(place, id);
    const answer = await call(place.url, "POST", `/v1/sessions/${id}`, { body: fields });
    if (answer.status !== 201) throw new Error(`the session was not created: ${answer.text}`);
    await session.watch();
    return session;
  }

  static async find(place: Place, id: string): Promise<AgentSession> {
    const session = new AgentSession(place, id);
    await session.watch();
    return session;
  }

  /** Follows the log from its beginning; again after the daemon was started anew. */
  async watch(): Promise<void> {
    this.close();
    this.#stream = await StreamClient.open(this.#place.url, `/v1/sessions/${this.id}/events/sse`);
  }

  close(): void {
    this.#stream?.close();
  }

  get events(): SessionEvent[] {
    return (this.#stream?.frames ?? []).map(({ data }) => data as SessionEvent);
  }

  /** As a client of the AI SDK reads it. */
  async chat(path: string): Promise<Answer> {
    return call(this.#place.url, "GET", `/api/chat/${this.id}${path}`);
  }

  /** The caller closes it. */
  stream(path: string): Promise<StreamClient> {
    return StreamClient.open(this.#place.url, `/v1/sessions/${this.id}${path}`);
  }

  /** To a path of the session. */
  async call(method: string, path = "", body?: unknown): Promise<Answer> {
    return call(this.#place.url, method, `/v1/sessions/${this.id}${path}`, { body });
  }

  async prompt(text: string, fields: object = {}): Promise<{ message: string; state: string }> {
    const answer = await this.call("POST", "/messages", { text, ...fields });
    if (answer.status !== 202) throw new Error(`the prompt was refused: ${answer.text}`);
    return answer.body;
  }

  /** Prompts and waits for the end of the turn. */
  async run(text: string, fields: object = {}): Promise<Turn> {
    const { message } = await this.prompt(text, fields);
    return this.turnOf(message);
  }

  /** The turn that a prompt began or was taken up in, when it has ended. */
  async turnOf(message: string): Promise<Turn> {
    const isOfPrompt = (event: SessionEvent) =>
      event.type === "prompt.dispatched" && event.message === message;
    const { turn } = await this.event("prompt.dispatched", isOfPrompt);
    const ended = await this.event("turn.ended", (event) => event.turn === turn);
    const events = this.events.filter((event) => event.turn === turn);
    return { events, ended, text: textOf(events) };
  }

  /** The first event of a type that fits, as soon as it is there. */
  async event<Type extends EventType>(
    type: Type,
    fits: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    const find = () =>
      this.events.find(
        (event): event is EventOf<Type> => event.type === type && fits(event as EventOf<Type>),
      );
    await this.#stream!.until(`${type} of ${this.id}`, () => find() !== undefined);
    return find()!;
  }

  async answer(ask: string, body: object): Promise<void> {
    const answer = await this.call("POST", `/asks/${ask}/reply`, body);
    if (answer.status !== 200) throw new Error(`the answer was refused: ${answer.text}`);
  }

  /** As `GET` gives it. */
  async view(): Promise<Record<string, unknown>> {
    return (await this.call("GET")).body;
  }

  /** The pid of the agent that runs now. */
  async pid(): Promise<number> {
    const answer = await this.call("GET", "/raw?limit=1000");
    const spawns = answer.body.raws.filter(
      (record: { direction: string; data: { event?: string } }) =>
        record.direction === "process" && record.data.event === "spawn",
    );
    return spawns.at(-1).data.pid;
  }
}

export function textOf(events: readonly SessionEvent[]): string {
  return events.flatMap((event) => (event.type === "text.delta" ? event.delta : [])).join("");
}

export function ofType<Type extends EventType>(events: readonly SessionEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}
