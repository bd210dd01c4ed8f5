import type { RouteConfig } from "@hono/zod-openapi";
import { expect, test } from "vitest";
import { DIALECTS } from "../dialects/registry.ts";
import { openApiDocument } from "./openapi-document.ts";
import { routes } from "./route-table.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at as plain JSON
const document: any = JSON.parse(JSON.stringify(openApiDocument("1.2.3", DIALECTS)));

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at as plain JSON
const operations: { method: string; path: string; operation: any }[] = Object.entries(document.paths).flatMap(
  ([path, item]) =>
    Object.entries(item as object)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({ method, path, operation })),
);

function* walk(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const child of Object.values(value)) yield* walk(child);
}

test("has the shape of an OpenAPI 3.1 document", () => {
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toMatchObject({ title: "Interlingua", version: "1.2.3" });
  const known = ["openapi", "info", "servers", "security", "tags", "paths", "components", "webhooks"];
  expect(Object.keys(document).filter((key) => !known.includes(key))).toEqual([]);
  for (const { operation } of operations) {
    expect(Object.keys(operation.responses).length).toBeGreaterThan(0);
    for (const [status, response] of Object.entries<{ description?: string }>(operation.responses)) {
      expect(status).toMatch(/^[1-5]\d\d$/);
      expect(response.description).toMatch(/./);
    }
  }
});

test("uses nothing that 3.1 took away", () => {
  for (const node of walk(document.components.schemas)) {
    expect(node).not.toHaveProperty("nullable");
    // They are numbers now.
    expect(typeof node.exclusiveMinimum).not.toBe("boolean");
    expect(typeof node.exclusiveMaximum).not.toBe("boolean");
  }
});

test("every reference leads somewhere", () => {
  const references = [...walk(document)].flatMap(({ $ref }) => (typeof $ref === "string" ? $ref : []));
  expect(references.length).toBeGreaterThan(0);
  for (const reference of references) {
    const steps = reference.replace(/^#\//, "").split("/");
    expect(steps.reduce((node, step) => node?.[step], document)).toBeDefined();
  }
});

test.each([
  ["Event", "type", "turn.ended", "TurnEndedEvent"],
  ["FeedFrame", "type", "snapshot", "SnapshotFeedFrame"],
  ["PromptPart", "type", "text", "TextPromptPart"],
  ["ContentPart", "type", "tool_call", "ToolCallContentPart"],
  ["InstallationFrame", "phase", "downloading", "InstallationProgress"],
])(
  "%s was a union without names, and generated clients could not tell its variants apart",
  (name, by, value, variant) => {
    const { oneOf, discriminator } = document.components.schemas[name];
    expect(discriminator.propertyName).toBe(by);
    expect(discriminator.mapping[value]).toBe(`#/components/schemas/${variant}`);
    const references = oneOf.map(({ $ref }: { $ref: string }) => $ref);
    expect([...new Set(Object.values(discriminator.mapping))].sort()).toEqual([...references].sort());
    for (const [mapped, reference] of Object.entries<string>(discriminator.mapping)) {
      const schema = document.components.schemas[reference.split("/").at(-1)!];
      expect(schema.properties[by].enum).toContain(mapped);
      expect(schema.required).toContain(by);
    }
  },
);

test("prompts in events are prompt parts by name", () => {
  const { PromptAcceptedEvent, PromptChangedEvent } = document.components.schemas;
  for (const { properties } of [PromptAcceptedEvent, PromptChangedEvent])
    expect(properties.parts.items).toEqual({ $ref: "#/components/schemas/PromptPart" });
});

test("every parameter of a path is declared, and no other", () => {
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    const declared = (operation.parameters ?? [])
      .filter((parameter: { in: string }) => parameter.in === "path")
      .map((parameter: { name: string }) => parameter.name)
      .sort();
    expect(declared).toEqual(named);
  }
});

const allRoutes = [routes, ...DIALECTS.map((dialect) => dialect.routes)].flatMap((table) =>
  Object.values<RouteConfig>(table),
);

test("every route is in it once, with a name of its own and a tag that is explained", () => {
  const documented = operations.map(({ method, path }) => `${method} ${path}`).sort();
  expect(documented).toEqual(allRoutes.map(({ method, path }) => `${method} ${path}`).sort());
  expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(
    [routes, ...DIALECTS.map((dialect) => dialect.routes)].flatMap((table) => Object.keys(table)).sort(),
  );
  const tags = document.tags.map(({ name }: { name: string }) => name);
  for (const { operation } of operations) expect(tags).toContain(operation.tags[0]);
});

test("a token is needed but where it says so", () => {
  expect(document.components.securitySchemes.bearer).toMatchObject({ type: "http", scheme: "bearer" });
  expect(document.security).toEqual([{ bearer: [] }]);
  const open = operations.filter(({ operation }) => operation.security?.length === 0);
  const health = ["/v1/health", "/v1/health/live", "/v1/health/ready"];
  const paths = [...health, "/v1/invitations/redeem", "/v1/openapi.json"];
  expect(open.map(({ path }) => path).sort()).toEqual(paths);
});
