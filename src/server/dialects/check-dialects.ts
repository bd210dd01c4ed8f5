/**
 * Refuses dialects that cannot be mounted side by side. Without it one would shadow another, or share its keys, and
 * nobody would see why.
 */
import type { AnyDialect } from "../../dialects/dialect.ts";
import { routes } from "../../protocol/route-table.ts";
import { assertHasRight } from "../access/check-route.ts";
import type { MountedRoute } from "../mount.ts";
import { PAGE_PATHS } from "../page.ts";
import { canMatchUnder, canOverlap, isDefinedUnder, shapeOf } from "./dialect-path.ts";

const NAME = /^[a-z][a-z0-9-]*$/;
const PATH = /^(?:\/(?:[\w.~-]+|\{\w+\}))+$/;

/** Throws an error that says what to change. */
export function checkDialects(dialects: readonly AnyDialect[]): void {
  for (const [index, dialect] of dialects.entries()) {
    checkNameAndPath(dialect);
    checkRoutes(dialect);
    checkChannels(dialect);
    for (const earlier of dialects.slice(0, index)) checkPair(earlier, dialect);
  }
}

function checkNameAndPath({ name, path }: AnyDialect): void {
  if (!NAME.test(name))
    throw new Error(`The dialect "${name}" needs another name: lower case letters, digits and hyphens.`);
  if (!PATH.test(path))
    throw new Error(
      `The path "${path}" of the dialect "${name}" cannot be used. Write it like "/openai" or "/v1/sessions/{id}/unified".`,
    );
  const own = Object.values<MountedRoute>(routes).map((route) => route.path);
  const taken = [...own, ...PAGE_PATHS].find((route) => canMatchUnder(route, path));
  if (taken !== undefined)
    throw new Error(
      `The path "${path}" of the dialect "${name}" holds "${taken}", which is the daemon's own. Choose another path.`,
    );
}

function checkRoutes({ name, path, routes }: AnyDialect): void {
  const known = new Map<string, string>();
  for (const [route, { method, path: its }] of Object.entries(routes)) {
    if (!isDefinedUnder(its, path))
      throw new Error(
        `The route "${route}" of the dialect "${name}" is at "${its}". Move it under the dialect's path "${path}".`,
      );
    const shape = `${method} ${shapeOf(its)}`;
    const twin = known.get(shape);
    if (twin !== undefined)
      throw new Error(
        `The routes "${twin}" and "${route}" of the dialect "${name}" match the same requests. Change or remove one.`,
      );
    known.set(shape, route);
  }
}

function checkChannels({ name, path, routes, channels = [] }: AnyDialect): void {
  for (const channel of channels) assertHasRight({ ...channel, method: "get", responses: {} });
  const taken = new Set(
    Object.values(routes)
      .filter(({ method }) => method === "get")
      .map((route) => shapeOf(route.path)),
  );
  for (const channel of channels) {
    if (!isDefinedUnder(channel.path, path))
      throw new Error(
        `A channel of the dialect "${name}" is at "${channel.path}". Move it under the dialect's path "${path}".`,
      );
    if (taken.has(shapeOf(channel.path)))
      throw new Error(
        `The channel "${channel.path}" of the dialect "${name}" matches the same requests as another or as a route. Change or remove one.`,
      );
    taken.add(shapeOf(channel.path));
  }
}

function checkPair(one: AnyDialect, other: AnyDialect): void {
  if (one.name === other.name)
    throw new Error(`Two dialects are called "${one.name}". Rename one: stored keys are told apart by name.`);
  if (canOverlap(one.path, other.path))
    throw new Error(
      `The dialects "${one.name}" at "${one.path}" and "${other.name}" at "${other.path}" overlap. Move one to another path.`,
    );
}
