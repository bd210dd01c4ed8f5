/** A server with everything real, people of every role, and sessions in whatever state a test needs. */
import { request } from "node:http";
import type { BackendAdapter } from "../../src/core/adapter.ts";
import type { AskKind } from "../../src/core/ask.ts";
import { principal } from "../../src/core/principal.ts";
import { OWNER, type Role } from "../../src/core/rights.ts";
import { sessionUlid } from "../../src/core/session-ulid.ts";
import { DIALECTS } from "../../src/dialects/registry.ts";
import type { EngineLimits } from "../../src/engine/limits.ts";
import { openDialect } from "../../src/server/dialect-port/open-dialect-test-support.ts";
import { TOKEN } from "../../src/server/http-client-test-support.ts";
import { type RealServer, startRealServer } from "../../src/server/real-server-test-support.ts";
import { TESTER } from "../../src/testkit/tester.ts";
import { until } from "../../src/testkit/until.ts";

/** Whoever sends requests. */
export interface Person {
  name: string;
  role: Role;
  token: string;
  /** Of the token; the owner's own has none. */
  id?: string;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  body: any;
  text: string;
}

const SCENARIOS: Record<AskKind, string> = { permission: "approve", question: "question", plan: "plan" };

export class World {
  readonly server: RealServer;
  #count = 0;

  private constructor(server: RealServer) {
    this.server = server;
  }

  /** `agents` are there besides, or in the place of those of their names. */
  static async start(
    agents: Readonly<Record<string, BackendAdapter>> = {},
    more: Partial<EngineLimits> = {},
  ): Promise<World> {
    const limits = { requestBurst: 1_000_000, failureBurst: 1_000_000 };
    return new World(await startRealServer({ limits }, agents, () => [], [...DIALECTS, openDialect], more));
  }

  close(): Promise<void> {
    return this.server.close();
  }

  get owner(): Person {
    return { name: "owner", role: "owner", token: TOKEN };
  }

  async person(role: Role, scope: { sessions?: string[]; agents?: string[]; expiresAt?: number } = {}) {
    this.#count += 1;
    const name = `${role} ${this.#count}`;
    const { status, body } = await this.call(this.owner, "POST", "/v1/tokens", { name, role, ...scope });
    if (status !== 201) throw new Error(`no token: ${JSON.stringify(body)}`);
    return { name, role, token: body.token as string, id: body.id as string };
  }

  /** A stream is left as soon as it has begun. */
  call(person: Person, method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${person.token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    return new Promise((resolve, reject) => {
      const url = `${this.server.url}${path}`;
      const outgoing = request(url, { method, headers, agent: false }, (response) => {
        const status = response.statusCode ?? 0;
        if (response.headers["content-type"]?.includes("event-stream")) {
          response.destroy();
          return resolve({ status, body: undefined, text: "" });
        }
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => {
          const isJson = response.headers["content-type"]?.includes("json");
          resolve({ status, text, body: isJson && text !== "" ? JSON.parse(text) : undefined });
        });
      });
      outgoing.on("error", reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  newId(): string {
    this.#count += 1;
    return `s${this.#count}`;
  }

  async session(more: Record<string, unknown> = {}): Promise<string> {
    const id = this.newId();
    const request = { id, agent: "mock", cwd: this.server.root, options: { pace: 0 }, ...more };
    await this.server.engine.run("createSession", request, TESTER);
    return id;
  }

  async say(session: string, text: string, person = this.owner): Promise<string> {
    const { name, id, role } = person;
    const by = principal(name, "test", id === undefined ? OWNER : { token: id, name, role });
    const prompt = { parts: [{ type: "text" as const, text }], whenBusy: "queue" as const };
    return (await this.server.engine.run("prompt", { session, ...prompt }, by)).message;
  }

  /** One whose turn has ended, with the ids of what was said. */
  async talked(): Promise<{ session: string; prompt: string; answer: string }> {
    const session = await this.session();
    const prompt = await this.say(session, "scenario:text");
    const done = async () => {
      const { messages } = await this.server.store.listMessages(session, { limit: 10 });
      return messages.find(({ role, state }) => role === "assistant" && state === "done")?.id;
    };
    await until(async () => (await done()) !== undefined);
    return { session, prompt, answer: (await done())! };
  }

  async ask(kind: AskKind): Promise<{ session: string; ask: string }> {
    const session = await this.session();
    await this.say(session, `scenario:${SCENARIOS[kind]}`);
    const open = async () => (await this.server.engine.run("listAsks", { session }, TESTER)).asks[0]?.ask;
    await until(async () => (await open()) !== undefined);
    return { session, ask: (await open())! };
  }

  /** A prompt that waits behind one that never ends. */
  async queued(person: Person): Promise<{ session: string; message: string }> {
    const session = await this.session();
    await this.say(session, "scenario:hang");
    await until(async () => (await this.server.engine.run("listQueue", { session }, TESTER)).length === 0);
    return { session, message: await this.say(session, "later", person) };
  }

  /** As AgentSmithy calls the session. */
  async dialog(session: string): Promise<string> {
    const row = await this.server.store.getSession(session);
    return sessionUlid(session, row!.createdAt);
  }

  async refusals(person: Person): Promise<{ action: string; session?: string; dialect: string }[]> {
    const { body } = await this.call(
      this.owner,
      "GET",
      `/v1/audit?limit=500&by=${encodeURIComponent(person.name)}`,
    );
    return body.entries.filter(({ outcome }: { outcome: string }) => outcome === "refused");
  }
}
