/** A connection to a daemon: its sessions, asks, agents, usage and tokens. Runs in browsers. */

import { readEventStream } from "../protocol/read-event-stream.ts";
import { allAsks } from "./all-asks.ts";
import { ChatTransport, type ChatTransportOptions } from "./chat-transport.ts";
import { type FollowOptions, follow } from "./follow.ts";
import { type ConnectOptions, HttpClient } from "./http.ts";
import type { RouteAnswer, RouteRequest } from "./routes.ts";
import { Session } from "./session.ts";
import { Tokens } from "./tokens.ts";
import type {
  Agent,
  AskView,
  AuditEntry,
  CreateSession,
  DirectoryList,
  FeedFrame,
  InstallationFrame,
  Me,
  SearchResult,
  SessionView,
} from "./types.ts";

export class Client {
  readonly sessions: Sessions;
  readonly agents: Agents;
  readonly workspaces: Workspaces;
  readonly tokens: Tokens;
  readonly nodes: Nodes;
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
    this.sessions = new Sessions(http);
    this.agents = new Agents(http);
    this.workspaces = new Workspaces(http);
    this.tokens = new Tokens(http);
    this.nodes = new Nodes(http);
  }

  get baseUrl(): string {
    return this.#http.baseUrl;
  }

  get token(): string | undefined {
    return this.#http.token;
  }

  /** How the daemon is: `ok`, or `failing` with its problem. Rejects with `unreachable` when nobody answers. */
  health(signal?: AbortSignal): Promise<RouteAnswer<"GET /v1/health">> {
    return this.#http.call("GET /v1/health", {}, signal);
  }

  /** Whose token it is, and what it may do: what a client should offer. */
  me(): Promise<Me> {
    return this.#http.call("GET /v1/me", {});
  }

  /** Who did what, newest first, read page by page as the loop goes on. */
  async *audit(query: RouteRequest<"GET /v1/audit">["query"] = {}): AsyncGenerator<AuditEntry, void> {
    let { before } = query;
    do {
      const page = await this.#http.call("GET /v1/audit", { query: { ...query, before } });
      yield* page.entries;
      before = page.before;
    } while (before !== undefined);
  }

  /**
   * Directories that a session can work in: those in a directory, or the roots of the daemon when none is named.
   *
   * @example const { directories } = await client.directories();
   */
  directories(query: RouteRequest<"GET /v1/directories">["query"] = {}): Promise<DirectoryList> {
    return this.#http.call("GET /v1/directories", { query });
  }

  /**
   * Messages of all sessions that have these words, the newest first, as far as they are read.
   *
   * @example
   * for await (const { session, message, snippet } of client.search({ q: "zebra cross" })) {
   *   // …
   * }
   */
  async *search(
    query: Omit<NonNullable<RouteRequest<"GET /v1/search">["query"]>, "cursor">,
    signal?: AbortSignal,
  ): AsyncGenerator<SearchResult, void> {
    let cursor: string | undefined;
    do {
      const page = await this.#http.call("GET /v1/search", { query: { ...query, cursor } }, signal);
      yield* page.results;
      cursor = page.cursor;
    } while (cursor !== undefined);
  }

  /** Everything that waits for a person, oldest first. */
  asks(): Promise<AskView[]> {
    return allAsks(this.#http);
  }

  /**
   * Follows what sessions do and ask, and who watches them: a snapshot first, then what changes. After a reconnection it
   * continues, or another snapshot comes where the daemon no longer knows what was missed. Others see the session that
   * you are `watching`.
   */
  async *feed(options?: FollowOptions & { readonly watching?: string }): AsyncGenerator<FeedFrame, void> {
    let after: string | undefined;
    const open = async (signal: AbortSignal) => {
      const query = { watching: options?.watching, after };
      const how = { accept: "text/event-stream", signal };
      const response = await this.#http.open("GET /v1/feed/sse", { query }, how);
      options?.onState?.({ state: "live" });
      return response;
    };
    for await (const { id, data } of follow(this.#http, { open }, options)) {
      const frame = JSON.parse(data) as FeedFrame;
      // A frame counts as read once the caller asks for the next one.
      if (frame.type !== "resumed") yield frame;
      after = id;
    }
  }

  /**
   * The transport of a `useChat` whose chats are sessions.
   *
   * @example
   * const chat = new Chat({ id: session.id, transport: client.chatTransport() });
   */
  chatTransport(options?: ChatTransportOptions): ChatTransport {
    return new ChatTransport(this.#http, options);
  }

  /** Tokens and costs, by day, agent, model or session. */
  usage(query: RouteRequest<"GET /v1/usage">["query"] = {}): Promise<RouteAnswer<"GET /v1/usage">> {
    return this.#http.call("GET /v1/usage", { query });
  }
}

class Sessions {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** Makes a session. Made again with the same id and the same wishes, it is the one there is. */
  async create(body: CreateSession): Promise<Session> {
    const { id } = await this.#http.call("POST /v1/sessions", { body });
    return new Session(this.#http, id);
  }

  /** The session with this id; rejects with `session_not_found` when there is none. */
  async get(id: string): Promise<Session> {
    await this.#http.call("GET /v1/sessions/{id}", { params: { id } });
    return new Session(this.#http, id);
  }

  /** The session with this id, without asking whether there is one. */
  handle(id: string): Session {
    return new Session(this.#http, id);
  }

  /** All of them, the last changed first, read page by page as the loop goes on. */
  async *list(query: RouteRequest<"GET /v1/sessions">["query"] = {}): AsyncGenerator<SessionView, void> {
    let { cursor } = query;
    do {
      const page = await this.#http.call("GET /v1/sessions", { query: { ...query, cursor } });
      yield* page.sessions;
      cursor = page.cursor;
    } while (cursor !== undefined);
  }

  /** Those with these words in id, title or prompts. */
  search(search: string): AsyncGenerator<SessionView, void> {
    return this.list({ search });
  }
}

export class Agents {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  async list(): Promise<RouteAnswer<"GET /v1/agents">["agents"]> {
    return (await this.#http.call("GET /v1/agents", {})).agents;
  }

  /** The one the daemon takes where a client names none. */
  async default(): Promise<string> {
    return (await this.#http.call("GET /v1/agents", {})).default;
  }

  /** The default that a setting of the daemon names. Undefined where none does: `default` is the mock then. */
  async configuredDefault(): Promise<string | undefined> {
    const { default: name, isDefaultConfigured } = await this.#http.call("GET /v1/agents", {});
    return isDefaultConfigured ? name : undefined;
  }

  /** Whether an agent is there, its version, and what it can do. */
  probe(agent: string): Promise<Agent> {
    return this.#http.call("GET /v1/agents/{agent}", { params: { agent } });
  }

  /** Installs an agent, and tells how far it is. */
  async *install(agent: string, signal?: AbortSignal): AsyncGenerator<InstallationFrame, void> {
    const response = await this.#http.open(
      "POST /v1/agents/{agent}/install",
      { params: { agent } },
      { accept: "text/event-stream", signal },
    );
    for await (const { data } of readEventStream(response.body!)) yield JSON.parse(data) as InstallationFrame;
  }
}

export class Nodes {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * The daemons that share these sessions: those that live, and those that died last. One alone is the only one.
   *
   * @example const free = (await client.nodes.list()).filter(({ state }) => state === "live");
   */
  async list(): Promise<RouteAnswer<"GET /v1/nodes">["nodes"]> {
    return (await this.#http.call("GET /v1/nodes", {})).nodes;
  }
}

export class Workspaces {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** What the checkpoints of all sessions take, by directory. */
  usage(): Promise<RouteAnswer<"GET /v1/workspaces">> {
    return this.#http.call("GET /v1/workspaces", {});
  }

  /** Drops checkpoints that are too old or too many, and packs the rest. The daemon does so by itself now and then. */
  collectGarbage(): Promise<RouteAnswer<"POST /v1/workspaces/gc">> {
    return this.#http.call("POST /v1/workspaces/gc", {});
  }
}

/** Finds out whether the daemon is there and takes the token. */
export async function connect(options: ConnectOptions): Promise<HttpClient> {
  const http = new HttpClient(options);
  await http.call("GET /v1/agents", {});
  return http;
}
