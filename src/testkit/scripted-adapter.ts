/** An agent without a process that does exactly what a test tells it to, for tests of what is around agents. */
import type { AgentOutput, BackendAdapter, BackendSession, ConnectOptions } from "../core/adapter.ts";
import type { BackendCapabilities } from "../core/capability.ts";
import type { Command, CommandOf } from "../core/command.ts";
import type { Draft } from "../core/draft.ts";
import { InterlinguaError } from "../core/error.ts";

/** What it declares unless it is told otherwise. @example new ScriptedAdapter({ ...SCRIPTED_CAPABILITIES, steer: false }) */
export const SCRIPTED_CAPABILITIES: BackendCapabilities = {
  streaming: true,
  permissions: true,
  questions: true,
  slashCommands: false,
  steer: true,
  reportsSteering: false,
  fork: false,
  resume: true,
  rewind: true,
  images: true,
  setModel: true,
  modes: ["build", "plan"],
  moreModes: false,
  permissionModes: ["default", "plan", "acceptEdits", "bypass"],
  availability: "local",
};

/** @example adapter.last.say({ type: "text.delta", delta: "Hi" }, { type: "turn.ended", outcome: "completed" }) */
export class ScriptedSession implements BackendSession {
  readonly sessionId: string;
  readonly options: ConnectOptions;
  readonly commands: Command[] = [];
  readonly messages: AsyncIterable<AgentOutput>;
  /** Called for every command, after it was noted. */
  onCommand: ((command: Command) => void) | undefined;
  /** Called for every output before anybody reads it. */
  onOutput: ((output: AgentOutput) => void) | undefined;
  /** Decides over a change of settings: it is taken when this resolves. Without it each is taken at once. */
  onConfigure: ((command: CommandOf<"configure">) => Promise<void>) | undefined;
  readonly #gone = Promise.withResolvers<never>();
  #queue: AgentOutput[] = [];
  #wake: (() => void) | undefined;
  #isOver = false;

  constructor(options: ConnectOptions) {
    this.sessionId = options.sessionId;
    this.options = options;
    this.messages = this.#read();
    this.#gone.promise.catch(() => {});
  }

  /** The agent says something that means these drafts. */
  say(...drafts: Draft[]): void {
    this.output({ raw: { direction: "in", data: JSON.stringify(drafts.map(({ type }) => type)) }, drafts });
  }

  output(output: AgentOutput): void {
    if (this.#isOver) return;
    this.onOutput?.(output);
    this.#queue.push(output);
    this.#wake?.();
  }

  /** The process ends. */
  die(code: number | null, signal: string | null = null, stderr = ""): void {
    this.output({ raw: { direction: "process", data: { event: "exit", code, signal, stderr } }, drafts: [] });
    this.#isOver = true;
    this.#wake?.();
    this.#gone.reject(new InterlinguaError("session_closed", "Session is closed"));
  }

  send(command: Command): Promise<void> {
    if (this.#isOver) throw new InterlinguaError("session_closed", "Session is closed");
    this.commands.push(command);
    this.onCommand?.(command);
    if (command.type !== "configure" || !this.onConfigure) return Promise.resolve();
    return Promise.race([this.onConfigure(command), this.#gone.promise]);
  }

  async close(): Promise<void> {
    this.die(0);
  }

  async *#read(): AsyncIterable<AgentOutput> {
    while (true) {
      const next = this.#queue.shift();
      if (next) yield next;
      else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/**
 * @example
 * const adapter = new ScriptedAdapter({ steer: false });
 * adapter.onConnect = (session) => {
 *   session.onCommand = ({ type }) => type === "interrupt" && session.die(0);
 * };
 */
export class ScriptedAdapter implements BackendAdapter {
  readonly name = "scripted";
  readonly capabilities: BackendCapabilities;
  readonly environmentKeys = [];
  readonly sessions: ScriptedSession[] = [];
  /** Set to make the next connections fail. */
  failure: Error | undefined;
  onConnect: ((session: ScriptedSession) => void) | undefined;
  settle?: BackendAdapter["settle"];
  memory?: BackendAdapter["memory"];
  version = "1.0.0";

  constructor(capabilities: Partial<BackendCapabilities> = {}) {
    this.capabilities = { ...SCRIPTED_CAPABILITIES, ...capabilities };
  }

  probe() {
    return Promise.resolve({ installed: true, version: this.version });
  }

  async connect(options: ConnectOptions): Promise<ScriptedSession> {
    if (this.failure) throw this.failure;
    const session = new ScriptedSession(options);
    session.say({
      type: "session.attached",
      agentSessionId: `native-${options.sessionId}`,
      agentVersion: this.version,
      resumed: options.resume,
    });
    this.sessions.push(session);
    this.onConnect?.(session);
    return session;
  }

  release() {
    return Promise.resolve();
  }

  get last(): ScriptedSession {
    return this.sessions.at(-1)!;
  }
}
