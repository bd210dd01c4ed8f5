/** The page at `/docs`: the OpenAPI document for people. Plain HTML without scripts of its own; its style is a file. */
import type { openApiDocument } from "../../protocol/openapi-document.ts";
import { code, escapeHtml, prose } from "./html.ts";
import { describe, fieldsOf, type Schema, schemaAnchor, shortType } from "./schema-html.ts";

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
  readonly description?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

interface Route extends Operation {
  readonly method: string;
  readonly path: string;
}

const METHODS = ["GET", "POST", "PATCH", "DELETE"];

type Document = ReturnType<typeof openApiDocument>;

export function referencePage(document: Document): string {
  const routes = routesOf(document);
  const groups = (document.tags ?? []).map(({ name, description }) => ({
    name,
    description,
    routes: routes.filter(({ tags }) => tags?.includes(name)),
  }));
  const schemas = Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>HTTP API · Interlingua</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs.css">
<script src="/theme.js"></script>
</head>
<body>
<nav aria-label="Routes">
<p><a href="/">Interlingua</a></p>
${groups.map(navigation).join("\n")}
<p><a href="#schemas">Schemas</a></p>
</nav>
<main>
<h1>HTTP API</h1>
<p>Version ${escapeHtml(document.info.version)}, made from <a href="/v1/openapi.json"><code>/v1/openapi.json</code></a>.
Every request needs <code>Authorization: Bearer TOKEN</code>, unless its route says otherwise. The token is in the link
that the daemon prints when it starts, and in the file <code>token</code> of its data directory.</p>
${groups.map(section).join("\n")}
<section>
<h2 id="schemas">Schemas</h2>
${schemas.map(namedSchema).join("\n")}
</section>
</main>
</body>
</html>
`;
}

/** A path before those below it, and of one path what reads before what changes. */
function routesOf({ paths = {} }: Document): Route[] {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  const place = ({ method }: Route) => METHODS.indexOf(method);
  return routes.sort((a, b) => (a.path === b.path ? place(a) - place(b) : a.path < b.path ? -1 : 1));
}

interface Group {
  readonly name: string;
  readonly description?: string;
  readonly routes: readonly Route[];
}

function navigation({ name, routes }: Group): string {
  const links = routes.map(
    ({ operationId, method, path }) =>
      `<li><a href="#${operationId}"><span class="method ${method}">${method}</span> ${escapeHtml(path)}</a></li>`,
  );
  return `<h2>${escapeHtml(name)}</h2>\n<ul>\n${links.join("\n")}\n</ul>`;
}

function section({ name, description, routes }: Group): string {
  return `<section>\n<h2>${escapeHtml(name)}</h2>\n<p>${prose(description)}.</p>\n${routes.map(article).join("\n")}\n</section>`;
}

function article(route: Route): string {
  const { operationId, method, path, summary, description, security } = route;
  const needsNoToken = security !== undefined && security.length === 0;
  return `<article id="${operationId}">
<h3><a href="#${operationId}"><span class="method ${method}">${method}</span> <code>${escapeHtml(path)}</code></a></h3>
<p>${prose(summary)}.${needsNoToken ? " Needs no token." : ""}</p>
${description === undefined ? "" : `<p>${prose(description)}</p>`}
${parameters(route)}
${body(route)}
${answers(route)}
</article>`;
}

function parameters({ parameters: all = [] }: Route): string {
  if (all.length === 0) return "";
  const rows = all.map(({ name, in: place, required, description, schema = {} }) => {
    const optional = required ? "" : " <small>optional</small>";
    const about = describe({ ...schema, description: description ?? schema.description });
    return `<tr><td>${code(name)}${optional}</td><td>${escapeHtml(place)}, ${shortType(schema)}</td><td>${about}</td></tr>`;
  });
  return `<h4>Parameters</h4>\n<table><tbody>${rows.join("\n")}</tbody></table>`;
}

function body({ requestBody }: Route): string {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
  if (!schema) return "";
  const optional = requestBody?.required ? "" : " <small>optional</small>";
  return `<h4>Body${optional}</h4>\n<p>${shortType(schema)}</p>\n${schema.$ref ? "" : fieldsOf(schema)}`;
}

function answers({ responses }: Route): string {
  const rows = Object.entries(responses).map(([status, { description, content = {} }]) => {
    const types = Object.entries(content).map(([type, { schema }]) =>
      // Problems are alike everywhere; their codes stand in the description.
      schema && type !== "application/problem+json" ? `${escapeHtml(type)}: ${shortType(schema)}` : "",
    );
    return `<tr><td>${code(status)}</td><td>${prose(description)}</td><td>${types.filter(Boolean).join("<br>")}</td></tr>`;
  });
  return `<h4>Answers</h4>\n<table class="answers"><tbody>${rows.join("\n")}</tbody></table>`;
}

function namedSchema([name, schema]: [string, Schema]): string {
  const fields = fieldsOf(schema);
  return `<article id="${schemaAnchor(name)}">
<h3><a href="#${schemaAnchor(name)}">${code(name)}</a></h3>
${schema.description === undefined ? "" : `<p>${prose(schema.description)}</p>`}
${fields === "" ? `<p>${shortType(schema)}</p>` : fields}
</article>`;
}
