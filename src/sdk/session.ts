/** One session: its conversation, its agent, its asks. A handle: it holds nothing but the id. */
import { allAsks } from "./all-asks.ts";
import type { HttpClient } from "./http.ts";
import { Prompt, type PromptInput, type PromptOptions } from "./prompt.ts";
import { UNREACHABLE_MS } from "./retry.ts";
import type { RouteAnswer, RouteRequest } from "./routes.ts";
import { type EventsOptions, sessionEvents } from "./session-events.ts";
import type {
  AskReply,
  AskView,
  Checkpoint,
  CreatedInvitation,
  CreateInvitation,
  EventWithRaw,
  FileChange,
  FileList,
  Invitation,
  Message,
  Presence,
  QueuedPrompt,
  Restored,
  SessionDetails,
  Task,
  UpdateSession,
  Xray,
} from "./types.ts";

export class Session {
  readonly id: string;
  readonly #http: HttpClient;

  constructor(http: HttpClient, id: string) {
    this.#http = http;
    this.id = id;
  }

  get #params(): { id: string } {
    return { id: this.id };
  }

  /** What it is now: state, model, modes, settings, commands. */
  details(): Promise<SessionDetails> {
    return this.#http.call("GET /v1/sessions/{id}", { params: this.#params });
  }

  /**
   * Starts the agent without a prompt. Resolves when it is ready: then models, modes, commands and settings are known and
   * the next prompt does not wait for a start. Rejects if it cannot be started.
   */
  attach({ signal }: { readonly signal?: AbortSignal } = {}): Promise<SessionDetails> {
    const request = { params: this.#params };
    return this.#http.call("POST /v1/sessions/{id}/attach", request, signal, UNREACHABLE_MS);
  }

  /** Ends the agent while it is idle, to free its memory. The next prompt starts it again. Rejects while the agent works. */
  detach(): Promise<SessionDetails> {
    return this.#http.call("POST /v1/sessions/{id}/detach", { params: this.#params });
  }

  /**
   * Says something to the agent.
   *
   * @example
   * console.log(await session.prompt("What is in this folder?").text());
   */
  prompt(input: PromptInput, options?: PromptOptions): Prompt {
    return new Prompt(this.#http, this.id, input, options);
  }

  /** The log, live, from `after` on. Reconnects by itself; each event comes once. */
  events(options?: EventsOptions): AsyncGenerator<EventWithRaw, void> {
    return sessionEvents(this.#http, this.id, options);
  }

  /** A page of the log as far as it goes now. */
  eventsPage(query: RouteRequest<"GET /v1/sessions/{id}/events">["query"] = {}) {
    return this.#http.call("GET /v1/sessions/{id}/events", { params: this.#params, query });
  }

  /** A page of the conversation, the newest when nothing is said. */
  messages(query: RouteRequest<"GET /v1/sessions/{id}/messages">["query"] = {}) {
    return this.#http.call("GET /v1/sessions/{id}/messages", { params: this.#params, query });
  }

  /** One message. */
  async message(message: string): Promise<Message> {
    return (await this.messageDetails(message)).message;
  }

  /** One message with how far it is, and on request with the raw records it was made from and how its turn ended. */
  messageDetails(
    message: string,
    query: RouteRequest<"GET /v1/sessions/{id}/messages/{message}">["query"] = {},
  ) {
    const params = { id: this.id, message };
    return this.#http.call("GET /v1/sessions/{id}/messages/{message}", { params, query });
  }

  /** A page of what the agent and we really said to each other. */
  raw(query: RouteRequest<"GET /v1/sessions/{id}/raw">["query"] = {}) {
    return this.#http.call("GET /v1/sessions/{id}/raw", { params: this.#params, query });
  }

  /**
   * An entry of the log from all sides: what the agent really said, the events that it means, and what clients of each
   * protocol get. The newest when no `seq` is given.
   */
  xray(seq?: number): Promise<Xray> {
    return this.#http.call("GET /v1/sessions/{id}/xray", { params: this.#params, query: { seq } });
  }

  /**
   * Everything that the agent said and was told, as lines of a recording.
   *
   * @example
   * await writeFile("demo.recording.jsonl", await session.recording());
   */
  async recording({ signal }: { readonly signal?: AbortSignal } = {}): Promise<ReadableStream<Uint8Array>> {
    const request = { params: this.#params };
    const accept = "application/jsonl";
    const response = await this.#http.open("GET /v1/sessions/{id}/recording", request, { accept, signal });
    return response.body ?? new Blob([]).stream();
  }

  /** Who watches: whose streams of it are open, of any client protocol. */
  presence(): Promise<Presence> {
    return this.#http.call("GET /v1/sessions/{id}/presence", { params: this.#params });
  }

  /**
   * Invites somebody to this session. Whoever has the link can exchange its code once, for a token of this session alone.
   *
   * @example
   * const { link } = await session.invite({ role: "observer" });
   */
  invite(body: CreateInvitation = {}): Promise<CreatedInvitation> {
    return this.#http.call("POST /v1/sessions/{id}/invitations", { params: this.#params, body });
  }

  /** Who was invited, without the codes. */
  async invitations(): Promise<Invitation[]> {
    const request = { params: this.#params };
    return (await this.#http.call("GET /v1/sessions/{id}/invitations", request)).invitations;
  }

  /** Takes an invitation back, and ends the token it was exchanged for. */
  async revokeInvitation(invitation: string): Promise<void> {
    const params = { id: this.id, invitation };
    await this.#http.call("DELETE /v1/sessions/{id}/invitations/{invitation}", { params });
  }

  /** What waits for a person here. */
  asks(): Promise<AskView[]> {
    return allAsks(this.#http, this.id);
  }

  /** Answers an ask; the first answer wins, and an equal one succeeds again. */
  reply(ask: string, body: AskReply): Promise<AskView> {
    const params = { id: this.id, ask };
    return this.#http.call("POST /v1/sessions/{id}/asks/{ask}/reply", { params, body });
  }

  /**
   * Stops the running turn, or only the named one. Prompts that wait run next; with `hold` they wait until a prompt is sent
   * or `releaseQueue` is called.
   */
  interrupt(
    turn?: string,
    { hold }: { hold?: boolean } = {},
  ): Promise<RouteAnswer<"POST /v1/sessions/{id}/interrupt">> {
    return this.#http.call("POST /v1/sessions/{id}/interrupt", {
      params: this.#params,
      body: { turn, hold },
    });
  }

  /** Takes a user message and everything after it out of the conversation. */
  rewind(before: string): Promise<RouteAnswer<"POST /v1/sessions/{id}/rewind">> {
    return this.#http.call("POST /v1/sessions/{id}/rewind", { params: this.#params, body: { before } });
  }

  /**
   * A new session that begins with a copy of this conversation, up to before a user message where one is given. This one
   * stays as it is.
   *
   * @example
   * const fork = await session.fork();
   * await fork.prompt("Try it another way").text();
   */
  async fork(body: RouteRequest<"POST /v1/sessions/{id}/fork">["body"] = {}): Promise<Session> {
    const { id } = await this.#http.call("POST /v1/sessions/{id}/fork", { params: this.#params, body });
    return new Session(this.#http, id);
  }

  /** Files of its directory that have these letters in their paths, the likeliest first: to be named in a prompt. */
  findFiles(search = "", limit?: number): Promise<FileList> {
    const request = { params: this.#params, query: { search, limit } };
    return this.#http.call("GET /v1/sessions/{id}/files", request);
  }

  /** The checkpoints of its files, oldest first. */
  async checkpoints(): Promise<Checkpoint[]> {
    const request = { params: this.#params };
    return (await this.#http.call("GET /v1/sessions/{id}/checkpoints", request)).checkpoints;
  }

  /** What turns changed: of one turn, since a checkpoint, or since the last approval when nothing is said. */
  async changes(query: RouteRequest<"GET /v1/sessions/{id}/changes">["query"] = {}): Promise<FileChange[]> {
    return (await this.#http.call("GET /v1/sessions/{id}/changes", { params: this.#params, query })).changes;
  }

  /**
   * Undoes what turns of this session changed since a checkpoint, file by file. Rejects with `workspace_conflict` where
   * somebody else has changed a file since. A checkpoint is taken first; the answer names it.
   *
   * @example
   * const [first] = await session.checkpoints();
   * if (first) await session.restore({ checkpoint: first.id });
   */
  restore(body: RouteRequest<"POST /v1/sessions/{id}/restore">["body"]): Promise<Restored> {
    return this.#http.call("POST /v1/sessions/{id}/restore", { params: this.#params, body });
  }

  /** Accepts what turns changed since the last approval. */
  approve(): Promise<RouteAnswer<"POST /v1/sessions/{id}/approve">> {
    return this.#http.call("POST /v1/sessions/{id}/approve", { params: this.#params });
  }

  /** Undoes what turns changed since the last approval, in the way of `restore`. */
  reset(body: RouteRequest<"POST /v1/sessions/{id}/reset">["body"] = {}): Promise<Restored> {
    return this.#http.call("POST /v1/sessions/{id}/reset", { params: this.#params, body });
  }

  /** A page of the prompts that wait, in the order they will run. */
  queue(query: RouteRequest<"GET /v1/sessions/{id}/queue">["query"] = {}) {
    return this.#http.call("GET /v1/sessions/{id}/queue", { params: this.#params, query });
  }

  /** Changes what a prompt says that still waits. */
  changeQueued(message: string, input: PromptInput): Promise<QueuedPrompt> {
    const params = { id: this.id, message };
    const body = typeof input === "string" ? { text: input } : { parts: input };
    return this.#http.call("PATCH /v1/sessions/{id}/queue/{message}", { params, body });
  }

  /** Puts a waiting prompt before another one, or with `null` behind all. */
  moveQueued(message: string, before: string | null): Promise<QueuedPrompt> {
    const params = { id: this.id, message };
    return this.#http.call("PATCH /v1/sessions/{id}/queue/{message}", { params, body: { before } });
  }

  /** Sends a waiting prompt now: the running turn gets it where the agent can, else that is stopped and this one is next. */
  sendQueued(message: string): Promise<RouteAnswer<"POST /v1/sessions/{id}/queue/{message}/send">> {
    const params = { id: this.id, message };
    return this.#http.call("POST /v1/sessions/{id}/queue/{message}/send", { params });
  }

  /** Lets prompts run that `interrupt` held, or that the daemon held by themselves. */
  releaseQueue(): Promise<RouteAnswer<"POST /v1/sessions/{id}/queue/release">> {
    return this.#http.call("POST /v1/sessions/{id}/queue/release", { params: this.#params });
  }

  /** What the agent does in the background: what runs, and the last that ended. */
  async tasks(): Promise<Task[]> {
    return (await this.#http.call("GET /v1/sessions/{id}/tasks", { params: this.#params })).tasks;
  }

  /** Has the agent end a task in the background. Agents with the capability `stopTasks` can. */
  stopTask(task: string): Promise<Task> {
    return this.#http.call("POST /v1/sessions/{id}/tasks/{task}/stop", { params: { id: this.id, task } });
  }

  /** Takes back a prompt that still waits. */
  async withdrawQueued(message: string): Promise<void> {
    await this.#http.call("DELETE /v1/sessions/{id}/queue/{message}", { params: { id: this.id, message } });
  }

  /** Changes title, model, mode, permission mode, settings or environment. */
  update(body: UpdateSession): Promise<SessionDetails> {
    return this.#http.call("PATCH /v1/sessions/{id}", { params: this.#params, body });
  }

  /** Closes it and keeps its log. */
  close(): Promise<SessionDetails> {
    return this.update({ status: "closed" });
  }

  /** Ends the agent and removes log and raw records. */
  async delete(): Promise<void> {
    await this.#http.call("DELETE /v1/sessions/{id}", { params: this.#params });
  }
}
