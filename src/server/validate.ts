/** Checks the parts of a request against a route's schemas and names every field that is wrong. */
import type { RouteConfig, z } from "@hono/zod-openapi";
import { InterlinguaError } from "../core/error.ts";
import { lostPrototypeKey } from "../core/own-value.ts";
import type { RouteInput } from "../protocol/define-route.ts";

/** So many wrong fields are told. */
const MOST_ERRORS = 20;
const LONGEST_PATH = 200;

interface FieldError {
  path: string;
  message: string;
}

export interface RequestParts {
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

export function validate<Route extends RouteConfig>(route: Route, parts: RequestParts): RouteInput<Route> {
  const errors: FieldError[] = [];
  const params = check(route.request?.params, parts.params, errors);
  const query = check(route.request?.query, parts.query, errors);
  const body = check(bodySchema(route), bodyOf(route, parts.body), errors);
  if (errors.length === 0) return { params, query, body } as RouteInput<Route>;
  const sentence = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
  throw new InterlinguaError("invalid_request", `The request is not valid. ${sentence}.`, { errors });
}

export function bodySchema(route: RouteConfig): z.ZodType | undefined {
  const content = route.request?.body?.content["application/json"];
  return content && "schema" in content ? (content.schema as z.ZodType) : undefined;
}

/** Where a body may be left out, none is as good as an empty one. */
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
      if (errors.length >= MOST_ERRORS) return undefined;
      errors.push(error);
    }
  }
  return undefined;
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys
      .slice(0, MOST_ERRORS)
      .map((key) => ({ path: pathOf([...issue.path, key]), message: "is not a known field" }));
  // The root is only wrong as a whole when it is no object.
  if (issue.path.length === 0 && issue.code === "invalid_type")
    return [{ path: "", message: "the body must be a JSON object" }];
  // What is wrong with a key is told by the key's own schema.
  const message = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return [{ path: pathOf(issue.path), message }];
}

function pathOf(path: readonly PropertyKey[]): string {
  const whole = path.map(String).join(".");
  return whole.length > LONGEST_PATH ? `${whole.slice(0, LONGEST_PATH)}…` : whole;
}
