/** A session of a foreign adapter as one of ours: commands become messages, its messages become drafts. */
import type {
  AgentOutput,
  BackendSession,
  Configurable,
  Interruptible,
  PermissionHandler,
} from "../core/adapter.ts";
import { isRejection } from "../core/ask.ts";
import type { BackendCapabilities } from "../core/capability.ts";
import type { Command, CommandOf } from "../core/command.ts";
import type { Draft } from "../core/draft.ts";
import { InterlinguaError } from "../core/error.ts";
import { errorText } from "../core/error-text.ts";
import { createUnifiedMessage } from "./create-unified-message.ts";
import {
  createUnifiedReader,
  type UnifiedReader,
  type UnifiedReaderOptions,
} from "./create-unified-reader.ts";
import { promptBlocks } from "./outbound/content-blocks.ts";
import { PacedQueue } from "./paced-queue.ts";
import { acpOptionIds } from "./reading/ask.ts";
import type { UnifiedSession } from "./unified-adapter.ts";
import { MESSAGE_ROLES, type UnifiedMessage } from "./unified-message.ts";

type ForeignSession = UnifiedSession & Partial<Interruptible & Configurable & PermissionHandler>;

/** How many outputs wait for their reader before the agent has to. */
const MAX_WAITING = 64;

/** How many of one turn are told apart. */
const MAX_REQUESTS = 10_000;

type RequestSource = "message" | "handler";

interface KnownRequest {
  /** The way it came first: it is answered there. */
  readonly source: RequestSource;
  /** Its options that have an `optionId`. */
  readonly optionIds: readonly string[];
}

interface ClientSessionOptions {
  readonly agent: string;
  readonly session: ForeignSession;
  readonly sessionId: string;
  readonly capabilities: BackendCapabilities;
  readonly options: UnifiedReaderOptions;
  readonly observe: (output: AgentOutput) => void;
}

export class UnifiedClientSession implements BackendSession {
  readonly sessionId: string;
  readonly #agent: string;
  /** What its adapter calls the session. By the guide that is our id, and some have one of their own. */
  readonly #agentSessionId: string;
  readonly #session: ForeignSession;
  readonly #capabilities: BackendCapabilities;
  readonly #observe: (output: AgentOutput) => void;
  readonly #reader: UnifiedReader;
  readonly #queue = new PacedQueue<AgentOutput>(MAX_WAITING);
  /** The requests of this turn. */
  readonly #requests = new Map<string, KnownRequest>();
  #isBusy = false;
  #isOver = false;

  constructor({ agent, session, sessionId, capabilities, options, observe }: ClientSessionOptions) {
    this.sessionId = sessionId;
    this.#agent = agent;
    this.#agentSessionId = session.sessionId;
    this.#session = session;
    this.#capabilities = capabilities;
    this.#observe = observe;
    this.#reader = createUnifiedReader({ ...options, sessionId });
    this.#output({
      raw: { direction: "process", data: { event: "spawn", adapter: agent } },
      drafts: [{ type: "session.attached", agentSessionId: this.#agentSessionId }],
    });
    void this.#pump();
    if (session.permissionRequests) void this.#pumpRequests(session.permissionRequests);
  }

  get messages(): AsyncIterable<AgentOutput> {
    return this.#queue;
  }

  send(command: Command): Promise<void> {
    if (this.#isOver) throw new InterlinguaError("session_closed", "Session is closed");
    return this.#send(command);
  }

  /** For messages that no command says. Throws when closed. */
  sendUnified(message: UnifiedMessage): void {
    if (this.#isOver) throw new InterlinguaError("session_closed", "Session is closed");
    this.#tell(message);
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    try {
      await this.#session.close();
    } catch {
      // It is gone either way.
    }
    this.#end();
  }

  async #send(command: Command): Promise<void> {
    switch (command.type) {
      case "prompt":
        return this.#prompt(command);
      case "interrupt":
        return this.#interrupt();
      case "reply":
        return this.#reply(command);
      case "configure":
        return this.#configure(command);
      case "rewind":
        throw this.#unsupported("forgets nothing of its conversation");
      case "stopTask":
        throw this.#unsupported("ends no single task");
    }
  }

  #prompt({ message, parts, steer }: CommandOf<"prompt">): void {
    const { images, steer: canSteer } = this.#capabilities;
    if (steer && !canSteer) throw this.#unsupported("takes no prompt into a running turn");
    const { content, attachments } = promptBlocks(parts);
    if (!images && content.some(({ type }) => type === "image")) throw this.#unsupported("takes no images");
    this.#isBusy = true;
    this.#tell({
      ...this.#message("user_message", {
        message_id: message,
        ...(attachments && { attachments }),
        ...(steer && { when_busy: "steer" }),
      }),
      id: message,
      content,
    });
  }

  #interrupt(): void {
    if (!this.#isBusy) return;
    try {
      this.#tell(this.#message("interrupt", {}));
    } catch (error) {
      // An adapter that has the method need not know the message.
      if (!this.#session.interrupt) throw error;
    }
    this.#session.interrupt?.();
  }

  #reply({ ask, effect, option, answers, message, input }: CommandOf<"reply">): void {
    const behavior = isRejection(effect) ? "deny" : "allow";
    const request = this.#requests.get(ask);
    const isOfAcp = option !== undefined && request?.optionIds.includes(option);
    const told = this.#message("permission_response", {
      request_id: ask,
      behavior,
      ...(option !== undefined && { option }),
      ...(isOfAcp && { optionId: option }),
      ...(answers !== undefined && { answers }),
      ...(message !== undefined && { message }),
      ...(input !== undefined && { updatedInput: input }),
    });
    const isHandled = request?.source === "handler" && this.#session.respondToPermission;
    if (!isHandled) return this.#tell(told);
    this.#record(told);
    this.#session.respondToPermission?.(ask, behavior);
  }

  #configure({ model, mode, permissionMode, settings }: CommandOf<"configure">): void {
    const { setModel, permissionModes, modes, moreModes } = this.#capabilities;
    if (model !== undefined && !setModel) throw this.#unsupported("does not change its model");
    if (permissionMode !== undefined && !permissionModes.some((known) => known === permissionMode))
      throw this.#unsupported(`has no permission mode "${permissionMode}"`);
    if (mode !== undefined && !moreModes && !modes.includes(mode))
      throw this.#unsupported(`has no mode "${mode}"`);
    const session = this.#session;
    const change: Record<string, unknown> = {
      ...(model !== undefined && { model }),
      ...(mode !== undefined && { mode }),
      ...(permissionMode !== undefined && { permissionMode }),
      ...(settings !== undefined && { settings }),
    };
    const message = this.#message("configuration_change", change);
    const { settings: _settings, ...inForce } = change;
    // Nobody confirms it: what it does not refuse is in force.
    const drafts: Draft[] = Object.keys(inForce).length > 0 ? [{ type: "session.updated", ...inForce }] : [];
    const byMethod = mode === undefined && settings === undefined;
    if (byMethod && session.setModel && session.setPermissionMode) {
      if (model !== undefined) session.setModel(model);
      if (permissionMode !== undefined) session.setPermissionMode(permissionMode);
      return this.#record(message, drafts);
    }
    this.#tell(message, drafts);
  }

  #message(
    type: Exclude<UnifiedMessage["type"], "unknown">,
    metadata: Record<string, unknown>,
  ): UnifiedMessage {
    return createUnifiedMessage({
      type,
      role: MESSAGE_ROLES[type],
      metadata: { session_id: this.#agentSessionId, ...metadata },
    });
  }

  /** What it throws is a refusal of that message. */
  #tell(message: UnifiedMessage, drafts: Draft[] = []): void {
    try {
      this.#session.send(message);
    } catch (error) {
      this.#record(message);
      if (InterlinguaError.isInstance(error)) throw error;
      throw new InterlinguaError("agent_failed", `${this.#agent} refused it: ${errorText(error)}`, {
        cause: error,
      });
    }
    this.#record(message, drafts);
  }

  #unsupported(why: string): InterlinguaError {
    return new InterlinguaError("unsupported", `${this.#agent} ${why}.`);
  }

  #record(message: UnifiedMessage, drafts: Draft[] = []): void {
    this.#output({ raw: { direction: "out", data: rawText(message) }, drafts });
  }

  #output(output: AgentOutput): void {
    if (this.#isOver) return;
    this.#observe(output);
    this.#queue.push(output);
  }

  async #pump(): Promise<void> {
    try {
      for await (const value of this.#session.messages) {
        const { drafts, unread } = this.#reader.read(value);
        const known = drafts.filter((draft) => this.#isNews(draft, "message", value));
        for (const draft of known) this.#note(draft);
        this.#output({
          raw: { direction: "in", data: rawText(value) },
          drafts: known,
          ...(unread && { unread }),
        });
        await this.#queue.room();
        if (this.#isOver) return;
      }
      this.#end();
    } catch (error) {
      this.#end(errorText(error));
    }
  }

  /** Requests of adapters that do not put them among their messages. */
  async #pumpRequests(requests: AsyncIterable<unknown>): Promise<void> {
    try {
      for await (const request of requests) {
        const { requestId, toolName, input, description } = request as Record<string, unknown>;
        const metadata = { request_id: requestId, tool_name: toolName, input, description };
        const message = this.#message("permission_request", metadata);
        const { drafts: read } = this.#reader.read(message);
        const drafts = read.filter((draft) => this.#isNews(draft, "handler", message));
        if (drafts.length === 0) continue;
        for (const draft of drafts) this.#note(draft);
        this.#output({ raw: { direction: "in", data: rawText(message) }, drafts });
      }
    } catch {
      // The stream of messages tells what became of the agent.
    }
  }

  /** One request may come both ways; then the second is no news. */
  #isNews(draft: Draft, source: RequestSource, said: unknown): boolean {
    if (draft.type !== "ask.opened") return true;
    const first = this.#requests.get(draft.ask);
    if (first && first.source !== source) return false;
    if (first || this.#requests.size < MAX_REQUESTS)
      this.#requests.set(draft.ask, { source, optionIds: acpOptionIds((said as UnifiedMessage).metadata) });
    return true;
  }

  #note(draft: Draft): void {
    if (draft.type === "turn.ended") {
      this.#isBusy = false;
      this.#requests.clear();
    } else if (/^(text|reasoning|tool|turn)\b/.test(draft.type)) this.#isBusy = true;
  }

  #end(error?: string): void {
    if (this.#isOver) return;
    this.#output({
      raw: {
        direction: "process",
        data: { event: "exit", code: error === undefined ? 0 : 1, stderr: error ?? "" },
      },
      drafts: [],
    });
    this.#isOver = true;
    this.#queue.close();
  }
}

/** What was said, for the raw records; also where JSON cannot say it. */
function rawText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return `[no JSON: ${typeof value}]`;
  }
}
