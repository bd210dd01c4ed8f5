/** Requests to the daemon, typed by the route table. */
import { CLOSED, InterlinguaError, refusalOf, unreachable } from "./error.ts";
import type { RouteAnswer, RouteKey, RouteRequest } from "./routes.ts";

export interface ConnectOptions {
  /** Where the daemon listens: `http://127.0.0.1:4111`. The link it prints is fine too, with its token. */
  readonly baseUrl: string;
  /** A function is asked before each request. */
  readonly token?: string | (() => string | undefined);
  /** What others see of who acts here: `by` of an answer. */
  readonly name?: string;
  readonly fetch?: typeof fetch;
}

interface Request {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
}

interface OpenOptions {
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/** What is not answered by then will not be. Most is answered at once; large files take a while to send. */
export const ANSWER_MS = 60_000;

/** A status that is no refusal: a daemon that is not well says so. */
const ALSO_ANSWERS: Partial<Record<RouteKey, number>> = {
  "GET /v1/health": 503,
  "GET /v1/health/ready": 503,
};

export class HttpClient {
  readonly baseUrl: string;
  readonly #closing = new AbortController();
  readonly #token: () => string | undefined;
  readonly #name: string | undefined;
  readonly #fetch: typeof fetch;

  constructor({ baseUrl, token, name, fetch = globalThis.fetch }: ConnectOptions) {
    const url = new URL(baseUrl);
    const tokenInLink = new URLSearchParams(url.hash.slice(1)).get("token") ?? undefined;
    this.baseUrl = (url.origin + url.pathname).replace(/\/+$/, "");
    this.#token = typeof token === "function" ? token : () => token ?? tokenInLink;
    this.#name = name;
    // Browsers refuse a `fetch` that is called on another object.
    this.#fetch = (...request) => fetch(...request);
  }

  get token(): string | undefined {
    return this.#token();
  }

  /** Aborted when nothing more is to be asked of this daemon. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** Ends whatever follows a stream or waits for an answer. */
  close(): void {
    const sentence = `The connection to ${this.baseUrl} was closed.`;
    this.#closing.abort(new InterlinguaError("unreachable", sentence, { cause: CLOSED }));
  }

  /** The answer; rejects with the daemon's refusal, or `unreachable` when there is none in time. */
  async call<Route extends RouteKey>(
    route: Route,
    request: RouteRequest<Route>,
    signal?: AbortSignal,
    timeoutMs = ANSWER_MS,
  ): Promise<RouteAnswer<Route>> {
    const late = AbortSignal.timeout(timeoutMs);
    const ends = [late, this.closed, ...(signal ? [signal] : [])];
    try {
      const response = await this.open(route, request, { signal: AbortSignal.any(ends) });
      return (response.status === 204 ? undefined : await response.json()) as RouteAnswer<Route>;
    } catch (error) {
      if (InterlinguaError.is(error) || signal?.aborted) throw error;
      if (this.closed.aborted) throw this.closed.reason;
      throw unreachable(this.baseUrl, late.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error);
    }
  }

  /** A response whose body is still to be read. */
  open<Route extends RouteKey>(
    route: Route,
    request: RouteRequest<Route>,
    options?: OpenOptions,
  ): Promise<Response> {
    return this.openRoute(route, request, options);
  }

  /** For routes of dialects, which the types do not know. */
  async openRoute(
    route: `${string} /${string}`,
    request: Request,
    options: OpenOptions = {},
  ): Promise<Response> {
    const { accept = "application/json", signal } = options;
    const [method, path] = route.split(" ") as [string, string];
    const { params = {}, query = {}, body } = request;
    const headers = new Headers({ accept });
    const token = this.token;
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    if (this.#name !== undefined) headers.set("x-interlingua-client", this.#name);
    if (body !== undefined) headers.set("content-type", "application/json");
    const address = this.baseUrl + fillIn(path, params) + queryOf(query);
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const init = { method, headers, body: sent, signal };
    const response = await this.#fetch(address, init).catch((error) => {
      throw signal?.aborted ? error : unreachable(this.baseUrl, error);
    });
    if (!response.ok && ALSO_ANSWERS[route as RouteKey] !== response.status) throw await refusalOf(response);
    return response;
  }
}

function fillIn(path: string, params: object): string {
  const values = params as Readonly<Record<string, string>>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
}

function queryOf(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search}`;
}
