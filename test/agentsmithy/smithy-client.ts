/** A client of the AgentSmithy dialect over plain HTTP, and a project with a daemon for it. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionEvent } from "../../src/core/event.ts";
import { DaemonClient } from "../daemon-client.ts";

export type SmithyJson = Record<string, unknown> & { type: string };

export interface Posted {
  events: SmithyJson[];
  text: string;
}

export interface SmithyAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  body: any;
}

export class SmithyClient {
  readonly base: string;
  readonly #token: string | undefined;

  /** @param base With the prefix of the mount. */
  constructor(base: string, token?: string) {
    this.base = base;
    this.#token = token;
  }

  /** Like `fetch`, for paths that begin at the mount. */
  readonly fetch = (path: string, options: RequestInit = {}): Promise<Response> => {
    const token = this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
    return fetch(`${this.base}${path}`, { ...options, headers: { ...options.headers, ...token } });
  };

  post(body: unknown, signal?: AbortSignal): Promise<Response> {
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    return this.fetch("/api/chat", {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  }

  /** Posts a message and reads the whole response. */
  async say(content: string, more: Record<string, unknown> = {}): Promise<Posted> {
    const response = await this.post({ messages: [{ role: "user", content }], ...more });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return { text, events: framesOf(text) };
  }

  async call(method: string, path: string, body?: unknown): Promise<SmithyAnswer> {
    const response = await this.fetch(path, {
      method,
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  }
}

export function framesOf(text: string): SmithyJson[] {
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => JSON.parse(frame.slice("data: ".length)));
}

export function typesOf(events: readonly SmithyJson[]): string[] {
  return events.map(({ type }) => type);
}

/** What was said, without what was asked. */
export function textOf(events: readonly SmithyJson[], type = "chat"): string {
  return events
    .filter((event) => event.type === type)
    .map(({ content }) => content)
    .join("");
}

export class SmithyProject implements Disposable {
  readonly #directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-smithy-")));
  readonly root = join(this.#directory, "project");
  readonly data = join(this.#directory, "data");

  constructor() {
    for (const path of [this.root, this.data]) mkdirSync(path);
    execFileSync("git", ["init", "-q"], { cwd: this.root });
    this.write("README.md", "hello\n");
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.root, name), text);
  }

  read(name: string): string | undefined {
    const path = join(this.root, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** What the owner sees of the only session there is, over `/v1`. */
export class OwnerView {
  readonly #daemon: DaemonClient;

  constructor(daemon: { url: string; token: string }) {
    this.#daemon = new DaemonClient(daemon);
  }

  async sessions(): Promise<{ id: string; status: string; queued: number }[]> {
    const list = await this.#daemon.call<{ sessions: { id: string; status: string; queued: number }[] }>(
      "GET",
      "/v1/sessions",
    );
    return list.sessions;
  }

  async session(): Promise<{ id: string; status: string; queued: number }> {
    const sessions = await this.sessions();
    if (sessions.length !== 1) throw new Error(`${sessions.length} sessions`);
    return sessions[0]!;
  }

  /** Its log; empty while there is no session. */
  async log(): Promise<SessionEvent[]> {
    const [session] = await this.sessions();
    if (!session) return [];
    const path = `/v1/sessions/${session.id}/events?limit=1000`;
    return (await this.#daemon.call<{ events: SessionEvent[] }>("GET", path)).events;
  }

  async asks(): Promise<{ ask: string; session: string }[]> {
    return (await this.#daemon.call<{ asks: { ask: string; session: string }[] }>("GET", "/v1/asks")).asks;
  }

  async reply(option: string): Promise<void> {
    const [first] = await this.asks();
    await this.#daemon.call("POST", `/v1/sessions/${first!.session}/asks/${first!.ask}/reply`, { option });
  }
}
