/** The socket of one client: the greeting, the log and then what comes, and answers to what it sends. */
import { InterlinguaError } from "../../core/error.ts";
import type { Principal } from "../../core/principal.ts";
import { answerRight, hasRight } from "../../core/rights.ts";
import type { SessionRow } from "../../core/store.ts";
import { CLOSE_CODES } from "../../protocol/close-code.ts";
import type { AskView } from "../../protocol/commands/command-types.ts";
import { cursorBeyondEnd, invalidField, sessionNotFound } from "../../protocol/refusals.ts";
import { createUnifiedMessage } from "../../unified/create-unified-message.ts";
import { askMessage } from "../../unified/outbound/ask-messages.ts";
import { unifiedId } from "../../unified/unified-id.ts";
import type { UnifiedMessage, UnifiedMessageType } from "../../unified/unified-message.ts";
import type { Channel, ChannelCall, ChannelHandler, DialectServices, FollowSession } from "../dialect.ts";
import { AnsweredRequests } from "./answered-requests.ts";
import { type Answered, success } from "./control-response.ts";
import { capabilities, history, identity, presence, queue, sessionInit } from "./greeting.ts";
import { handleRequest, MAX_QUEUE_BYTES } from "./handle-request.ts";
import { DIALECT_NAME } from "./name.ts";
import { failure } from "./problem.ts";
import { namesOf, readMessage } from "./read-message.ts";
import { plainFrame } from "./sequenced-frame.ts";
import { UnifiedView } from "./unified-view.ts";

/** The one type of message that the guide does not have. */
const LIFECYCLE = "session_lifecycle" satisfies UnifiedMessageType;

/** What the address asks for. */
interface Wanted {
  readonly after: number;
  readonly sessionLifecycle: boolean;
}

export function unifiedChannel(services: DialectServices): ChannelHandler {
  const answered = new AnsweredRequests();
  return async (call) => {
    const session = call.params.id!;
    const { after, sessionLifecycle } = readQuery(call);
    const row = await services.store.getSession(session);
    if (!row) throw sessionNotFound(session);
    if (after > row.head) throw cursorBeyondEnd(session, after, row.head);
    const details = await services.engine.run("getSession", { session }, call.caller);
    const from = after === 0 ? 0 : await services.sessions.findOpenTurn(session, after);
    return (channel) => {
      const connection = new Connection(services, answered, channel, session, call.caller);
      connection.write(identity(call.caller, session));
      connection.write(sessionInit(details));
      connection.write(history(session, after, row.head));
      connection.follow(row, { after, from, sessionLifecycle });
    };
  };
}

class Connection {
  readonly #services: DialectServices;
  readonly #answered: AnsweredRequests;
  readonly #channel: Channel;
  readonly #session: string;
  readonly #caller: Principal;
  #toldPresence = "";

  constructor(
    services: DialectServices,
    answered: AnsweredRequests,
    channel: Channel,
    session: string,
    caller: Principal,
  ) {
    this.#services = services;
    this.#answered = answered;
    this.#channel = channel;
    this.#session = session;
    this.#caller = caller;
    channel.onMessage((text) => this.#receive(text));
  }

  write(message: UnifiedMessage): void {
    this.#channel.writeText(plainFrame(message));
  }

  follow(row: SessionRow, { after, from, sessionLifecycle }: Wanted & { from: number }): void {
    const { sessions } = this.#services;
    const session = this.#session;
    const isClosed = row.status === "closed";
    const end = () => this.#channel.end("the session is closed", CLOSE_CODES.done);
    // Nothing will come that could end it.
    if (isClosed && after === row.head) return end();
    const createView = () => new UnifiedView({ sessionLifecycle });
    const follow: FollowSession<UnifiedView> = {
      view: createView(),
      after,
      from,
      onLevel: (view) => (isClosed ? end() : void this.#tellState(view)),
      shared: {
        key: sessionLifecycle ? `${DIALECT_NAME} ${LIFECYCLE}` : DIALECT_NAME,
        restart: async (place) => ({
          view: createView(),
          from: await sessions.findOpenTurn(session, place),
        }),
      },
    };
    sessions.follow(this.#channel, session, follow);
  }

  /** After the history: what the session can do, what waits for whom, and who is there. */
  async #tellState(view: UnifiedView): Promise<void> {
    const { engine, presence: watching, logger } = this.#services;
    const session = this.#session;
    const inView = new Map(view.openAsks);
    try {
      const caller = this.#caller;
      const details = await engine.run("getSession", { session }, caller);
      this.write(capabilities(details, await engine.run("listAgents", {}, caller)));
      const { asks } = await engine.run("listAsks", { session }, caller);
      for (const ask of asks)
        if (this.#mayAnswer(ask)) this.#channel.writeText(inView.get(ask.ask) ?? askFrame(ask));
      const queued = await engine.run("listQueue", { session, maxBytes: MAX_QUEUE_BYTES }, caller);
      this.write(queue(session, queued, details.head));
      this.#tellPresence();
      this.#channel.onClose(watching.follow(session, () => this.#tellPresence()));
    } catch (error) {
      if (!this.#channel.isOpen) return;
      logger.error({ err: error, session }, "the state of a session could not be told");
      this.#channel.end("the state of the session could not be read", CLOSE_CODES.internal);
    }
  }

  /** While the socket is full only the last one counts. */
  #tellPresence(): void {
    const channel = this.#channel;
    if (channel.isFull) {
      const stop = channel.onDrain(() => {
        stop();
        this.#tellPresence();
      });
      return;
    }
    const now = this.#services.presence.of(this.#session);
    const text = JSON.stringify(now);
    // Listeners are told of a client's own coming, too, which it may know by then.
    if (text !== this.#toldPresence) this.write(presence(this.#session, now));
    this.#toldPresence = text;
  }

  #mayAnswer({ kind }: AskView): boolean {
    return hasRight(this.#caller.access, answerRight(kind));
  }

  async #receive(text: string): Promise<void> {
    const answer: Answered = { session: this.#session };
    try {
      const value = this.#services.parseJson(text);
      Object.assign(answer, namesOf(value));
      const response = await handleRequest(
        { services: this.#services, answered: this.#answered, session: this.#session, by: this.#caller },
        readMessage(value),
      );
      this.write(success(answer, response));
    } catch (error) {
      this.write(failure(answer, this.#asProblem(error)));
    }
  }

  #asProblem(error: unknown): InterlinguaError {
    if (InterlinguaError.isInstance(error)) return error;
    this.#services.logger.error({ err: error, session: this.#session }, "a request through a socket failed");
    return new InterlinguaError(
      "internal",
      "The daemon failed to handle this message. Its log says why; trying again may help.",
    );
  }
}

/** An ask that was opened before the part of the log that the view has seen. */
function askFrame(ask: AskView): string {
  const { type, metadata = {} } = askMessage(ask as never, undefined);
  const message = createUnifiedMessage({
    type,
    role: "system",
    metadata: { session_id: ask.session, ...metadata },
  });
  return plainFrame({ ...message, timestamp: ask.at }, unifiedId(ask.session, `${ask.seq}.0`));
}

function readQuery({ query }: ChannelCall): Wanted {
  for (const name of query.keys())
    if (name !== "after" && name !== "include")
      throw invalidField(
        name.slice(0, 64),
        "is not known here",
        "Only after and include can be given in the address.",
      );
  const [text = "0", ...others] = query.getAll("after");
  if (!/^\d{1,15}$/.test(text) || others.length > 0)
    throw invalidField("after", "must be a whole number", "Give the seq of the last frame you have, once.");
  const included = query.getAll("include");
  if (included.some((name) => name !== LIFECYCLE))
    throw invalidField("include", `must be ${LIFECYCLE}`, `Give ${LIFECYCLE}, or leave it out.`);
  return { after: Number(text), sessionLifecycle: included.length > 0 };
}
