/** Calls to a running daemon. Failures are sentences for the person at the terminal. */
import type { DaemonAddress } from "./find-daemon.ts";

/** The daemon refused the request. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "RefusedError";
    this.status = status;
  }
}

/** Nobody answered, or the connection broke. */
export class UnreachableError extends Error {
  constructor(url: string, cause: unknown) {
    super(`No answer from ${url}: ${reasonOf(cause)}. interlingua doctor looks for the cause.`, { cause });
    this.name = "UnreachableError";
  }
}

export interface CallOptions {
  query?: Readonly<Record<string, string | number | undefined>>;
  /** When absent: POST with a body, else GET. */
  method?: "GET" | "POST";
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
  accept?: string;
}

export async function call(
  daemon: DaemonAddress,
  path: string,
  options: CallOptions = {},
): Promise<Response> {
  const url = new URL(path, daemon.url);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const hasBody = options.body !== undefined;
  let response: Response;
  try {
    response = await fetch(url, {
      method: options.method ?? (hasBody ? "POST" : "GET"),
      headers: {
        authorization: `Bearer ${daemon.token}`,
        accept: options.accept ?? "application/json",
        ...(hasBody && { "content-type": "application/json" }),
      },
      body: hasBody ? JSON.stringify(options.body) : undefined,
      signal: options.signal,
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new UnreachableError(daemon.url, error);
  }
  if (response.ok) return response;
  throw new RefusedError(response.status, await readProblem(response));
}

export async function callJson<Answer>(
  daemon: DaemonAddress,
  path: string,
  options?: CallOptions,
): Promise<Answer> {
  const response = await call(daemon, path, options);
  return (await response.json()) as Answer;
}

async function readProblem(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const problem = JSON.parse(text) as { detail?: string; title?: string };
    return problem.detail ?? problem.title ?? text;
  } catch {
    return `The daemon answered ${response.status} ${response.statusText}`.trim();
  }
}

/** `fetch` hides the reason in the cause, and there sometimes in the first of several errors. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error ? first.message : String(first);
}
