/** Requests to the daemon, typed by the route table. */
import { InterlinguaError, refusalOf, unreachable } from "./error.ts";
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

export class HttpClient {
  readonly baseUrl: string;
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

  /** The answer; rejects with the daemon's refusal, or `unreachable` when there is none. */
  async call<Route extends RouteKey>(
    route: Route,
    request: RouteRequest<Route>,
    signal?: AbortSignal,
  ): Promise<RouteAnswer<Route>> {
    const response = await this.open(route, request, { signal });
    return (
      response.status === 204 ? undefined : await this.#readJson(response, signal)
    ) as RouteAnswer<Route>;
  }

  /** A response whose body is still to be read. */
  async open<Route extends RouteKey>(
    route: Route,
    request: RouteRequest<Route>,
    options: { accept?: string; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const { accept = "application/json", signal } = options;
    const [method, path] = route.split(" ") as [string, string];
    const { params = {}, query = {}, body } = request as Request;
    const headers = new Headers({ accept });
    const token = this.token;
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    if (this.#name !== undefined) headers.set("x-interlingua-client", this.#name);
    if (body !== undefined) headers.set("content-type", "application/json");
    const address = this.baseUrl + fillIn(path, params) + queryOf(query);
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const response = await this.#fetch(address, { method, headers, body: sent, signal }).catch((error) => {
      throw signal?.aborted ? error : unreachable(this.baseUrl, error);
    });
    if (!response.ok) throw await refusalOf(response);
    return response;
  }

  async #readJson(response: Response, signal?: AbortSignal): Promise<unknown> {
    try {
      return await response.json();
    } catch (error) {
      if (signal?.aborted || error instanceof InterlinguaError) throw error;
      throw unreachable(this.baseUrl, error);
    }
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
