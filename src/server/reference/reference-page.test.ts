import { expect, test } from "vitest";
import { DIALECTS } from "../../dialects/registry.ts";
import { openApiDocument } from "../../protocol/openapi-document.ts";
import { referencePage } from "./reference-page.ts";
import { fieldsOf, type Schema, shortType } from "./schema-html.ts";

const document = openApiDocument("1.2.3", DIALECTS);
const html = referencePage(document);

const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, { operationId: string }>).map(([method, { operationId }]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operationId,
  })),
);

test.each(operations)("has $name, in the list and with all about it", ({ operationId }) => {
  expect(html).toContain(`<li><a href="#${operationId}">`);
  expect(html.split(`<article id="${operationId}">`)).toHaveLength(2);
});

test("every link within the page leads somewhere, and none leads to another host", () => {
  const targets = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`));
  const links = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link]) => link!);
  const files = ["/", "/docs.css", "/favicon.svg", "/theme.js", "/v1/openapi.json"];
  expect(links).toEqual(expect.arrayContaining(files));
  expect(links.filter((link) => !targets.has(link) && !files.includes(link))).toEqual([]);
});

test("nothing is inline that the page's policy would block", () => {
  expect(html).not.toMatch(/<style|style=| on\w+=|<script>|javascript:/);
});

test("its version, and which routes need no token", () => {
  expect(html).toContain("Version 1.2.3,");
  const health = html.split('<article id="getHealth">')[1]!.split("</article>")[0]!;
  expect(health).toContain("Needs no token.");
  const sessions = html.split('<article id="listSessions">')[1]!.split("</article>")[0]!;
  expect(sessions).not.toContain("Needs no token.");
});

/** What the page shows of a schema, and what it leaves to the machine. */
const KEYWORDS: Record<keyof Schema, true> = {
  $ref: true,
  type: true,
  description: true,
  enum: true,
  properties: true,
  required: true,
  additionalProperties: true,
  items: true,
  anyOf: true,
  oneOf: true,
  default: true,
  minimum: true,
  maximum: true,
  maxLength: true,
  maxItems: true,
};
const UNSHOWN = ["minLength", "pattern", "minItems", "exclusiveMinimum", "discriminator"];

test("no schema has a keyword that the page does not know", () => {
  const known = new Set([...Object.keys(KEYWORDS), ...UNSHOWN]);
  const unknown = new Set<string>();
  const visit = (schema: Schema): void => {
    for (const keyword of Object.keys(schema)) if (!known.has(keyword)) unknown.add(keyword);
    const { properties = {}, additionalProperties, items, anyOf = [], oneOf = [] } = schema;
    for (const inner of [...Object.values(properties), ...anyOf, ...oneOf]) visit(inner);
    if (items) visit(items);
    if (typeof additionalProperties === "object") visit(additionalProperties);
  };
  for (const schema of Object.values(document.components?.schemas ?? {})) visit(schema as Schema);
  expect([...unknown]).toEqual([]);
});

test("text that looks like markup stays text", () => {
  const field = { type: "string", description: '<script>alert("`1`")</script>' };
  const fields = fieldsOf({ properties: { "<b>": field } });
  expect(fields).toContain("&lt;script&gt;alert(&quot;<code>1</code>&quot;)&lt;/script&gt;");
  expect(fields).toContain("<code>&lt;b&gt;</code>");
});

test("short types", () => {
  expect(shortType({ enum: ["a", 1] })).toBe("<code>&quot;a&quot;</code> | <code>1</code>");
  expect(shortType({ items: { $ref: "#/components/schemas/Ask" } })).toBe(
    'list of <a href="#schema-Ask"><code>Ask</code></a>',
  );
  expect(shortType({ anyOf: [{ type: "string" }, { type: "string" }, { type: "null" }] })).toBe(
    "<code>string</code> | <code>null</code>",
  );
  expect(shortType({ type: "object", additionalProperties: { type: "string" } })).toBe(
    "map of <code>string</code>",
  );
  expect(shortType({})).toBe("<code>anything</code>");
});
