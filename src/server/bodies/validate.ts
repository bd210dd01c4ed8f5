/** Checks the parts of a request against a route's schemas and names every field that is wrong. */
import type { RouteConfig, z } from "@hono/zod-openapi";
import { InterlinguaError } from "../../core/error.ts";
import { lostPrototypeKey } from "../../core/own-value.ts";
import { isStrict, type RouteInput } from "../../protocol/define-route.ts";

/** The maximum number of reported fields. */
const MAX_ERRORS = 20;
const MAX_PATH_LENGTH = 200;

interface FieldError {
  path: string;
  message: string;
}

export interface RequestParts {
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
}

export function validate<Route extends RouteConfig>(route: Route, parts: RequestParts): RouteInput<Route> {
  const errors: FieldError[] = [];
  const params = check(route.request?.params, parts.params, errors);
  const query = checkQuery(route, parts.query, errors);
  const body = check(bodySchema(route), bodyOf(route, parts.body), errors);
  if (errors.length === 0) return { params, query, body } as RouteInput<Route>;
  const sentence = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
  throw new InterlinguaError("invalid_request", `The request is not valid. ${sentence}.`, { errors });
}

/** An unknown field would be dropped, and the client would believe that it had an effect. */
function checkQuery(route: RouteConfig, query: URLSearchParams, errors: FieldError[]): unknown {
  const schema = route.request?.query as z.ZodObject | undefined;
  if (isStrict(route.path)) {
    const known = Object.keys(schema?.shape ?? {});
    for (const name of new Set(query.keys())) {
      const message = queryProblem(name, query, known);
      if (message !== undefined && errors.length < MAX_ERRORS) errors.push({ path: pathOf([name]), message });
    }
  }
  return check(schema, Object.fromEntries(query), errors);
}

function queryProblem(name: string, query: URLSearchParams, known: readonly string[]): string | undefined {
  if (!known.includes(name))
    return `is no query name here: ${known.length > 0 ? `use ${known.join(", ")}` : "leave it out"}`;
  return query.getAll(name).length > 1 ? "is given more than once: give it once" : undefined;
}

export function bodySchema(route: RouteConfig): z.ZodType | undefined {
  const content = route.request?.body?.content["application/json"];
  return content && "schema" in content ? (content.schema as z.ZodType) : undefined;
}

/** If a body is optional, none counts as an empty one. */
function bodyOf(route: RouteConfig, body: unknown): unknown {
  return body === undefined && !route.request?.body?.required ? {} : body;
}

function check(schema: z.ZodType | undefined, value: unknown, errors: FieldError[]): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) {
    const lost = lostPrototypeKey(value, result.data);
    if (lost) errors.push({ path: pathOf(lost), message: "is no name that can be used: choose another" });
    return result.data;
  }
  for (const issue of result.error.issues) {
    for (const error of fieldErrors(issue)) {
      // A hostile body has as many wrong fields as it likes, with names as long as it likes.
      if (errors.length >= MAX_ERRORS) return undefined;
      errors.push(error);
    }
  }
  return undefined;
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys
      .slice(0, MAX_ERRORS)
      .map((key) => ({ path: pathOf([...issue.path, key]), message: "is not a known field" }));
  // The root is only wrong as a whole when it is no object.
  if (issue.path.length === 0 && issue.code === "invalid_type")
    return [{ path: "", message: "the body must be a JSON object" }];
  // The key's own schema says what is wrong with it.
  const message = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return [{ path: pathOf(issue.path), message }];
}

function pathOf(path: readonly PropertyKey[]): string {
  const whole = path.map(String).join(".");
  return whole.length > MAX_PATH_LENGTH ? `${whole.slice(0, MAX_PATH_LENGTH)}…` : whole;
}
