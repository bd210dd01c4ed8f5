/** Draws requests for every route of the OpenAPI document a daemon serves, so that a new route is among them by itself. */
import type { HostileJson } from "../../src/testkit/hostile-agent/index.ts";
import type { Random } from "../../src/testkit/random.ts";
import { type Pool, type Schema, SchemaSample } from "./schema-sample.ts";

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  parameters?: { name: string; in: "path" | "query" | "header"; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

export interface Route {
  method: string;
  path: string;
  operation: Operation;
}

export interface DrawnRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

const ODD_TYPES = [
  "text/plain",
  "multipart/form-data",
  "application/json; charset=utf-16",
  "x",
  "application/xml",
];
const ODD_HEADERS: [string, string][] = [
  ["last-event-id", "-1"],
  ["last-event-id", "9".repeat(400)],
  ["last-event-id", "a:1,b:2,".repeat(100)],
  ["accept", "application/xml"],
  ["accept-encoding", "gzip;q=x"],
  ["origin", "null"],
  ["range", "bytes=0-1"],
  ["content-encoding", "gzip"],
  ["x-forwarded-for", "x".repeat(4000)],
];

export function routesOf({ paths }: OpenApi): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

export class RouteRequests {
  readonly #random: Random;
  readonly #json: HostileJson;
  readonly #document: OpenApi;

  constructor(random: Random, json: HostileJson, document: OpenApi) {
    this.#random = random;
    this.#json = json;
    this.#document = document;
  }

  /** A request as it should be, with one or several things wrong in most cases. */
  draw({ method, path, operation }: Route, pool: Pool): DrawnRequest {
    const random = this.#random;
    const sample = new SchemaSample(random, this.#document.components.schemas, pool);
    let url = path;
    const query: string[] = [];
    for (const parameter of operation.parameters ?? []) {
      const isDamaged = random.chance(0.15);
      const value = isDamaged ? this.#oddText() : String(sample.draw(parameter.schema, parameter.name));
      if (parameter.in === "path") url = url.replace(`{${parameter.name}}`, encode(value) || "x");
      else if (parameter.in === "query" && random.chance(0.5))
        query.push(`${parameter.name}=${encode(value)}`);
    }
    if (random.chance(0.05)) query.push(`${encode(this.#oddText())}=${encode(this.#oddText())}`);
    const schema = operation.requestBody?.content["application/json"]?.schema;
    const body = schema && this.#body(sample.draw(schema));
    return {
      method,
      path: query.length > 0 ? `${url}?${query.join("&")}` : url,
      headers: this.#headers(),
      ...(body !== undefined && { body }),
    };
  }

  #body(good: unknown): string {
    const dice = this.#random.next();
    if (dice < 0.35) return JSON.stringify(good);
    if (dice < 0.4) return this.#json.value();
    if (dice < 0.45)
      return this.#random.pick(["", "{", "nul", "\ufeff{}", '{"a":1,}', "{}{}", '{"\\ud800":1}']);
    return this.#json.damage(good);
  }

  #headers(): Record<string, string> {
    const random = this.#random;
    return {
      "content-type": random.chance(0.9) ? "application/json" : random.pick(ODD_TYPES),
      ...(random.chance(0.1) && Object.fromEntries([random.pick(ODD_HEADERS)])),
    };
  }

  /** Short enough for an address. */
  #oddText(): string {
    const json = this.#json.value();
    const text = json.startsWith('"') ? (JSON.parse(json) as string) : json;
    return text.slice(0, this.#random.size(9000));
  }
}

/** A half of a character has no place in an address. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
