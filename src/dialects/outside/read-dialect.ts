/** Reads what a module gives as a dialect: every route has a right, and nothing stands where the daemon's own is. Pure. */
import type { RouteConfig } from "@hono/zod-openapi";
import { isRecord } from "../../core/is-record.ts";
import { RIGHTS } from "../../core/rights.ts";
import { defineRoute } from "../../protocol/define-route.ts";
import { openApiDocument } from "../../protocol/openapi-document.ts";
import type { AnyDialect, ChannelDefinition, DialectRoutes, ViewDefinition } from "../dialect.ts";

const METHODS: readonly unknown[] = ["get", "post", "put", "patch", "delete"];
/** Segments and parameters, and nothing that a router takes for a pattern. */
const PATH = /^(?:\/(?:[\w.~-]+|\{\w+\}))+$/;
const MAX_TEXT_LENGTH = 200;
/** Of the daemon alone: what browsers may do with an answer, and how it is sent. */
const OWN_HEADERS =
  /^(?:access-control-.*|connection|content-(?:encoding|length|security-policy|type)|cross-origin-.*|keep-alive|referrer-policy|set-cookie|transfer-encoding|upgrade|www-authenticate|x-content-type-options|x-frame-options)$/i;

/** Throws a sentence with the remedy. What it gives does not change, whatever the module does to its own. */
export function readDialect(name: string, given: unknown): AnyDialect {
  if (!isRecord(given))
    throw new Error("its default export gives no dialect: an object with path, routes, handlers and view.");
  const { description, path, contentRoutes = [], handlers, keys, headers = {}, describeProblem } = given;
  assert(isText(description), `description is no text of 1 to ${MAX_TEXT_LENGTH} characters`);
  assert(
    typeof path === "string" && PATH.test(path),
    'path cannot be used: write it like "/lines" or "/lines/{session}"',
  );
  assert(!/^\/(?:v1|\{\w+\})(?:\/|$)/.test(path), `path "${path}" is the daemon's own: choose another one`);
  assert(typeof handlers === "function", "handlers is no function");
  const routes = readRoutes(name, given.routes);
  assert(
    isList(contentRoutes) && contentRoutes.every((route) => Object.hasOwn(routes, String(route))),
    "contentRoutes does not name its routes",
  );
  assert(keys === undefined || typeof keys === "function", "keys is no function");
  assert(
    describeProblem === undefined || typeof describeProblem === "function",
    "describeProblem is no function",
  );
  assertHeaders(headers);
  const dialect: AnyDialect = {
    name,
    description,
    path,
    routes,
    contentRoutes: contentRoutes.map(String),
    channels: readChannels(given.channels),
    view: readView(given.view),
    headers: { ...headers },
    // As methods of the object that the module gave.
    handlers: (services) => Reflect.apply(handlers, given, [services]),
    ...(keys && { keys: (event) => Reflect.apply(keys, given, [event]) }),
    ...(describeProblem && {
      describeProblem: (problem) => Reflect.apply(describeProblem, given, [problem]),
    }),
  };
  assertDescribable(dialect);
  return dialect;
}

/** Made anew: what decides over a request is read once, and the router gets the path that was checked. */
function readRoutes(dialect: string, given: unknown): DialectRoutes {
  assert(isRecord(given), "routes is no object of routes; with channels only it is {}");
  return Object.fromEntries(
    Object.entries(given).map(([name, route]) => [name, readRoute(dialect, name, route)]),
  );
}

function readRoute(dialect: string, name: string, given: unknown): DialectRoutes[string] {
  const what = `routes.${name}`;
  assert(/^[A-Za-z]\w{0,63}$/.test(name), `${what}: a route is named with letters, digits and underscores`);
  assert(isRecord(given), `${what} is no route: make it with defineRoute`);
  const { method, path, right, fieldRights, security, summary, description, responses } = given;
  assert(METHODS.includes(method), `${what}.method is none of ${METHODS.join(", ")}`);
  assert(
    typeof path === "string" && PATH.test(path),
    `${what}.path cannot be used: write it like "/lines/{id}"`,
  );
  // Without a token there is nobody whose rights could be asked for.
  assert(security === undefined, `${what}.security: every route from outside needs a token. Take it out`);
  assert(isRight(right), `${what}.right is no right, and nobody could call it: ${rightNames()}`);
  assert(
    fieldRights === undefined ||
      (isRecord(fieldRights) &&
        Object.values(fieldRights).every(
          (values) => isRecord(values) && Object.values(values).every(isRight),
        )),
    `${what}.fieldRights names what is no right: ${rightNames()}`,
  );
  assert(isRecord(responses) && Object.keys(responses).length > 0, `${what}.responses names no answer`);
  assert(summary === undefined || typeof summary === "string", `${what}.summary is no text`);
  return defineRoute({
    method: method as "get",
    path,
    right,
    ...(fieldRights !== undefined && { fieldRights: fieldRights as never }),
    operationId: `${dialect}.${name}`,
    summary: summary ?? name,
    ...(typeof description === "string" && { description }),
    tags: [dialect],
    request: readRequest(what, given.request),
    responses: responses as RouteConfig["responses"],
  }) as DialectRoutes[string];
}

function readRequest(what: string, given: unknown): NonNullable<RouteConfig["request"]> {
  if (given === undefined) return {};
  assert(isRecord(given), `${what}.request is no object`);
  const { params, query, body } = given;
  for (const [part, schema] of Object.entries({ params, query }))
    assert(
      schema === undefined || isSchema(schema),
      `${what}.request.${part} is no schema: make it with z.object`,
    );
  if (body === undefined) return { params, query } as never;
  const content = isRecord(body) && isRecord(body.content) ? body.content["application/json"] : undefined;
  assert(
    isRecord(content) && isSchema(content.schema),
    `${what}.request.body cannot be read: declare it with jsonBody or optionalJsonBody`,
  );
  return { params, query, body } as never;
}

function readChannels(given: unknown): readonly ChannelDefinition[] {
  if (given === undefined) return [];
  assert(isList(given), "channels is no list");
  return given.map((channel, index) => {
    const what = `channels[${index}]`;
    assert(isRecord(channel), `${what} is no object with path, right and handler`);
    const { path, right, handler } = channel;
    assert(
      typeof path === "string" && PATH.test(path),
      `${what}.path cannot be used: write it like "/lines/{id}"`,
    );
    assert(isRight(right), `${what}.right is no right, and nobody could open it: ${rightNames()}`);
    assert(typeof handler === "function", `${what}.handler is no function`);
    return { path, right, handler: (services) => Reflect.apply(handler, channel, [services]) };
  });
}

function readView(given: unknown): ViewDefinition {
  assert(isRecord(given), "view is no object: it says what the dialect shows of the log");
  const { scope, resume, create, inspect, formats } = given;
  const resumes = scope === "message" ? ["replay", "none"] : ["cursor", "replay", "none"];
  assert(scope === "session" || scope === "message", "view.scope is neither session nor message");
  assert(resumes.includes(String(resume)), `view.resume is none of ${resumes.join(", ")}`);
  if (scope === "message") {
    assert(isList(formats) && formats.length > 0, "view.formats is no list of formats");
    for (const [index, format] of formats.entries())
      assert(isFormat(format), `view.formats[${index}] needs key, createView, done, begin and pause`);
    return given as unknown as ViewDefinition;
  }
  assert(typeof create === "function", "view.create is no function");
  assert(inspect === undefined || typeof inspect === "function", "view.inspect is no function");
  return given as unknown as ViewDefinition;
}

function isFormat(given: unknown): boolean {
  if (!isRecord(given)) return false;
  const { key, createView, done, begin, pause } = given;
  return (
    [key, done, pause].every((text) => typeof text === "string") &&
    [createView, begin].every((method) => typeof method === "function")
  );
}

function assertHeaders(given: unknown): asserts given is Readonly<Record<string, string>> {
  assert(isRecord(given), "headers is no object");
  for (const [name, value] of Object.entries(given)) {
    assert(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name), `headers: "${name}" is no name of a header`);
    assert(!OWN_HEADERS.test(name), `headers.${name} is the daemon's own. Take it out`);
    assert(
      typeof value === "string" && /^[\t\x20-\x7e]*$/.test(value),
      `headers.${name} may hold only visible ASCII characters and spaces`,
    );
  }
}

/** `GET /v1/openapi.json` describes all routes, and would fail with one that it cannot describe. */
function assertDescribable(dialect: AnyDialect): void {
  try {
    openApiDocument("", [dialect]);
  } catch (error) {
    const reason = (error as Error).message.replace(/\s+/g, " ");
    throw new Error(`its routes cannot be described: ${reason}. Make schemas with z of interlingua/dialect.`);
  }
}

function rightNames(): string {
  return `use one of ${Object.keys(RIGHTS).join(", ")}`;
}

function isRight(value: unknown): value is keyof typeof RIGHTS {
  return typeof value === "string" && Object.hasOwn(RIGHTS, value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_TEXT_LENGTH;
}

function isSchema(value: unknown): boolean {
  return isRecord(value) && typeof value.safeParse === "function";
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function assert(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new Error(`${reason}.`);
}
