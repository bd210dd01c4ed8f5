/**
 * A session of ours as one of the guide. What the agent says goes through the session machine, as in the daemon, so that
 * consumers get a well-formed conversation, and numbers by which it can be replayed.
 */
import type {
  AgentOutput,
  BackendSession,
  Configurable,
  Interruptible,
  PermissionHandler,
  PermissionRequestEvent,
} from "../core/adapter.ts";
import { boundDraft } from "../core/bound-draft.ts";
import type { BackendCapabilities } from "../core/capability.ts";
import type { Command } from "../core/command.ts";
import { InterlinguaError } from "../core/error.ts";
import { errorText } from "../core/error-text.ts";
import type { EventOf } from "../core/event.ts";
import { isRecord } from "../core/is-record.ts";
import { SessionMachine } from "../core/session-machine.ts";
import { emptyState } from "../core/session-state.ts";
import { typedDraft } from "../core/typed-draft.ts";
import { checkUnifiedMessage } from "./check-unified-message.ts";
import { createMessageChannel } from "./create-message-channel.ts";
import { createUnifiedMessage } from "./create-unified-message.ts";
import {
  createUnifiedTranslator,
  type UnifiedTranslator,
  type UnifiedTranslatorOptions,
} from "./create-unified-translator.ts";
import { PacedQueue } from "./paced-queue.ts";
import { readUnifiedRequest, type UnifiedReply, type UnifiedRequest } from "./read-unified-request.ts";
import { ReplayLog } from "./replay-log.ts";
import { toCommand } from "./to-command.ts";
import type {
  SequencedMessage,
  UnifiedPassthrough,
  UnifiedReconnectable,
  UnifiedSession,
} from "./unified-adapter.ts";
import type { UnifiedMessage } from "./unified-message.ts";

/** A session of the guide with the extensions that the agent's capabilities promise. */
export type UnifiedAgentSession = UnifiedSession &
  Interruptible &
  UnifiedReconnectable &
  Partial<Configurable & PermissionHandler>;

interface BackendSessionOptions extends UnifiedTranslatorOptions {
  readonly agent: string;
  readonly capabilities: BackendCapabilities;
  readonly session: BackendSession;
  readonly cwd: string;
  readonly onConversation: (agentSessionId: string) => void;
}

/** How many messages wait for their reader before the agent has to. */
const MAX_WAITING_MESSAGES = 1000;
const MAX_WAITING_PROMPTS = 100;
/** How many ids of prompts are remembered. */
const MAX_KNOWN_PROMPTS = 10_000;
const MAX_OUTPUT_CHARACTERS = 1024 * 1024;

export class UnifiedBackendSession {
  readonly #agent: string;
  readonly #capabilities: BackendCapabilities;
  readonly #session: BackendSession;
  readonly #machine: SessionMachine;
  readonly #translator: UnifiedTranslator;
  readonly #queue = new PacedQueue<UnifiedMessage>(MAX_WAITING_MESSAGES);
  readonly #requests = createMessageChannel<PermissionRequestEvent>();
  readonly #log = new ReplayLog();
  readonly #waiting: Extract<UnifiedRequest, { type: "prompt" }>[] = [];
  readonly #prompts = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #onConversation: (agentSessionId: string) => void;
  #isClosed = false;
  #isOver = false;

  constructor(options: BackendSessionOptions) {
    const { agent, capabilities, session, cwd, onConversation } = options;
    this.#translator = createUnifiedTranslator(options);
    this.#agent = agent;
    this.#capabilities = capabilities;
    this.#session = session;
    this.#onConversation = onConversation;
    const sources = { now: () => Date.now(), messageId: () => crypto.randomUUID() };
    this.#machine = new SessionMachine(emptyState(session.sessionId), sources);
    this.#act(() => this.#machine.create({ agent, cwd }));
    // An agent whose messages fail is gone.
    this.#pump().catch(() => {});
  }

  /** Only what is genuinely supported is there to be found. */
  extended(): UnifiedAgentSession {
    const { setModel, permissions } = this.#capabilities;
    const configurable: Configurable = {
      setModel: (model) => this.#tell({ type: "configure", model }),
      setPermissionMode: (permissionMode) => this.#tell({ type: "configure", permissionMode }),
    };
    const permissionHandler: PermissionHandler = {
      permissionRequests: this.#requests,
      respondToPermission: (requestId, behavior) => this.#respond(requestId, behavior),
    };
    return {
      sessionId: this.#session.sessionId,
      messages: this.#queue,
      send: (message) => this.#send(message),
      close: () => this.#close(),
      interrupt: () => {
        this.#assertOpen();
        this.#interrupt();
      },
      onDisconnect: (listener) => void this.#listeners.add(listener),
      replay: (fromSequence): AsyncIterable<SequencedMessage> => this.#log.replay(fromSequence),
      ...(setModel && configurable),
      ...(permissions && permissionHandler),
    };
  }

  #send(message: UnifiedMessage): void {
    this.#assertOpen();
    const problem = checkUnifiedMessage(message);
    if (problem) throw invalid(problem.path, problem.message);
    const request = readUnifiedRequest(withText(message));
    switch (request.type) {
      case "prompt":
        return this.#prompt(request);
      case "reply":
        return this.#answer(request, message);
      case "interrupt":
        return this.#interrupt(message);
      case "configure":
        return this.#tell(request, message);
      case "invalid":
        throw invalid(request.path, request.problem);
      case "unknown":
        return this.#pass(message);
    }
  }

  #assertOpen(): void {
    if (this.#isClosed || this.#isOver) throw new InterlinguaError("session_closed", "Session is closed");
  }

  /** A message id that was used is the same prompt again. */
  #prompt(request: Extract<UnifiedRequest, { type: "prompt" }>): void {
    if (this.#prompts.has(request.message)) return;
    const canSteer = request.whenBusy === "steer" && this.#capabilities.steer;
    const isBusy = this.#machine.state.turn !== undefined || this.#waiting.length > 0;
    if (isBusy && !canSteer && this.#waiting.length >= MAX_WAITING_PROMPTS)
      throw new InterlinguaError("queue_full", `${MAX_WAITING_PROMPTS} prompts are waiting.`);
    const [oldest] = this.#prompts;
    if (this.#prompts.size >= MAX_KNOWN_PROMPTS) this.#prompts.delete(oldest!);
    this.#prompts.add(request.message);
    const { message, parts, whenBusy = "queue" } = request;
    this.#act(() => this.#machine.acceptPrompt(message, parts, whenBusy));
    if (isBusy && canSteer) this.#dispatch(request, true);
    else {
      this.#waiting.push(request);
      this.#dispatchNext();
    }
  }

  #dispatchNext(): void {
    if (this.#machine.state.turn || this.#isOver) return;
    const next = this.#waiting.shift();
    if (next) this.#dispatch(next, false);
  }

  #dispatch({ message, parts }: Extract<UnifiedRequest, { type: "prompt" }>, steer: boolean): void {
    this.#act(() => this.#machine.dispatch(message, { steer }));
    const refused = (error: unknown) =>
      this.#act(() => {
        if (steer) this.#machine.apply({ type: "prompt.returned", message, reason: errorText(error) });
        else this.#machine.endTurn("failed", { code: codeOf(error), message: errorText(error) });
      });
    this.#attempt({ type: "prompt", message, parts, ...(steer && { steer }) }).catch(refused);
  }

  /** What `send` throws is a rejection, too. */
  async #attempt(command: Command): Promise<void> {
    await this.#session.send(command);
  }

  #answer(reply: UnifiedReply, message?: UnifiedMessage): void {
    const open = this.#machine.state.asks.get(reply.ask);
    const { native = reply.ask, options = [], questions, editable } = open?.opened ?? {};
    const command =
      open && !open.answered
        ? toCommand({ type: "reply", ...reply }, { native, options, questions, editable })
        : undefined;
    if (command?.type !== "reply") {
      const why = open
        ? "The request does not offer that, takes no `updatedInput`, or was answered."
        : `No request "${reply.ask}" is open.`;
      if (!message) throw new InterlinguaError("ask_not_found", why);
      return this.#respondTo(message, new InterlinguaError("ask_not_found", why));
    }
    const { type: _type, ask: _native, effect: _effect, ...answer } = command;
    this.#act(() => this.#machine.answerAsk(reply.ask, answer, "consumer"));
    this.#attempt(command).then(
      () => this.#act(() => this.#machine.closeAsk(reply.ask, "answered", true)),
      () => this.#act(() => this.#machine.closeAsk(reply.ask, "answered", false)),
    );
  }

  #respond(requestId: string, behavior: "allow" | "deny"): void {
    this.#assertOpen();
    this.#answer({ ask: requestId, reply: behavior === "allow" ? "once" : "reject" });
  }

  /** Adapters of the guide may be told twice, by a message and by the method: the agent is told once. */
  #interrupt(message?: UnifiedMessage): void {
    if (this.#machine.state.turn?.stoppingBy !== undefined) {
      if (message) this.#respondTo(message);
      return;
    }
    this.#act(() => this.#machine.stopping("consumer"));
    this.#tell({ type: "interrupt" }, message);
  }

  /** A control message is answered once the agent has taken or refused it. */
  #tell(command: Command, message?: UnifiedMessage): void {
    this.#assertOpen();
    this.#attempt(command).then(
      () => message && this.#respondTo(message),
      (error: unknown) => (message ? this.#respondTo(message, error) : this.#refused(error)),
    );
  }

  /** For calls that return nothing: the refusal is among the messages. */
  #refused(error: unknown): void {
    const notice = { type: "notice", level: "warning", code: "configure", text: errorText(error) } as const;
    this.#act(() => this.#machine.apply(notice));
  }

  #respondTo({ id, type }: UnifiedMessage, error?: unknown): void {
    const failed = error !== undefined && { error: errorText(error), error_code: codeOf(error) };
    const metadata = {
      session_id: this.#session.sessionId,
      inResponseTo: id,
      request_id: id,
      request_type: type,
      subtype: error === undefined ? "success" : "error",
      ...failed,
    };
    this.#queue.push(createUnifiedMessage({ type: "control_response", role: "system", metadata }));
  }

  #pass(message: UnifiedMessage): void {
    if (!canPass(this.#session)) {
      const detail = `${this.#agent} does not know messages of type ${message.type}.`;
      return this.#respondTo(message, new InterlinguaError("unsupported", detail));
    }
    this.#session.sendUnified(message);
    this.#respondTo(message);
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    // Nobody waits for what was not read.
    this.#queue.close({ drop: true });
    this.#requests.close();
    await this.#session.close();
  }

  async #pump(): Promise<void> {
    try {
      for await (const output of this.#session.messages) {
        this.#take(output);
        await this.#queue.room();
      }
    } finally {
      this.#isOver = true;
      this.#act(() => this.#machine.detach(this.#isClosed ? "closed" : "crash"));
      this.#queue.close();
      this.#requests.close();
      this.#log.close();
      if (!this.#isClosed) for (const listener of this.#listeners) listener();
    }
  }

  #take({ drafts }: AgentOutput): void {
    this.#act(() => {
      for (const draft of drafts)
        for (const bounded of boundDraft(typedDraft(draft), MAX_OUTPUT_CHARACTERS))
          this.#machine.apply(bounded);
    });
    if (this.#machine.state.agentSessionId !== undefined)
      this.#onConversation(this.#machine.state.agentSessionId);
    this.#dispatchNext();
  }

  #act(change: () => void): void {
    change();
    for (const event of this.#machine.take()) {
      const messages = this.#translator.add(event);
      this.#log.add(event.seq, messages);
      // What the consumer said is no news to it.
      for (const message of messages) if (message.type !== "user_message") this.#queue.push(message);
      if (event.type === "ask.opened" && event.kind === "permission")
        this.#requestPermission(event, messages);
    }
  }

  #requestPermission({ ask, description, title }: EventOf<"ask.opened">, [message]: UnifiedMessage[]): void {
    const { tool_name: toolName, input } = message!.metadata;
    this.#requests.push({
      requestId: ask,
      toolName: String(toolName),
      input: isRecord(input) ? { ...input } : {},
      description: description ?? title,
    });
  }
}

/** The guide's factory makes a `user_message` without content: that is a prompt without words. */
function withText(message: UnifiedMessage): UnifiedMessage {
  if (message.type !== "user_message" || message.content.length > 0) return message;
  if (message.metadata.attachments !== undefined) return message;
  return { ...message, content: [{ type: "text", text: "" }] };
}

function canPass(session: BackendSession): session is BackendSession & UnifiedPassthrough {
  return "sendUnified" in session;
}

function invalid(path: string, message: string): InterlinguaError {
  const errors = [{ path, message }];
  return new InterlinguaError("invalid_request", `${path || "The message"} ${message}.`, { errors });
}

function codeOf(error: unknown): string {
  return InterlinguaError.isInstance(error) ? error.code : "agent_failed";
}
