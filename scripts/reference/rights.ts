/** docs/reference/rights.md: what each role may do, and which right each route needs, from the table of rights. */
import { RIGHTS, type Right, ROLES } from "../../src/core/rights.ts";
import { DIALECTS } from "../../src/dialects/registry.ts";
import type { FieldRights } from "../../src/protocol/define-route.ts";
import { routes } from "../../src/protocol/route-table.ts";
import { markdownTable } from "./markdown-table.ts";

interface DocumentedRoute {
  readonly method: string;
  readonly path: string;
  readonly right?: Right;
  readonly fieldRights?: FieldRights;
}

/** Fields of commands, which every protocol has in its own words. The limits of a token's engine check them. */
const FIELDS: readonly (readonly [string, Right])[] = [
  ["`env`, `mcpServers`, `options` and `install` of a session", "session.program"],
  ["`install` `auto` of a session", "agent.install"],
  ["a mode, permission mode or setting that [does not ask](asking.md), or is not known to", "session.bypass"],
  ["`agent` of a new session, where that agent never asks", "session.bypass"],
  ["a fork of a session that [does not ask](asking.md)", "session.bypass"],
  [
    "editing or repeating a prompt whose own settings [do not ask](asking.md), or are not known to",
    "session.bypass",
  ],
  ["`cwd` of a fork, where the session has `env`, `mcpServers` or `options`", "session.program"],
  ["a prompt to a session that [does not ask](asking.md), or is not known to", "session.unasked"],
  ["a [slash command](asking.md#slash-commands) that can change whether the agent asks", "session.bypass"],
  ["another slash command that is not listed as harmless", "session.settings"],
  ["`status` `closed`", "session.close"],
  ["`settings` of a prompt", "session.settings"],
  ["`conversation` of a restore", "session.rewrite"],
  ["a `cwd` outside the roots that was opened for one session", "session.roots"],
  ["an answer to a permission, whatever it is sent by", "ask.permission"],
  ["an answer to a plan", "ask.plan"],
  ["an answer to a question", "ask.question"],
  ["a waiting prompt that came with another token", "queue.any"],
  ["`include=raw`", "session.raw"],
];

export function rights(): string {
  return `# Rights

<!-- Written by \`npm run reference\` from src/core/rights.ts and the routes. Change them there. -->

One table says what each [role](../guides/people.md#roles) may do. Routes, commands and what is read are checked against it,
in every client protocol. What is not in it is refused. [Why so](../decisions/054-rights-by-capability.md).

${markdownTable(["right", "is", ...ROLES], Object.entries(RIGHTS).map(rightRow))}

Rights marked with * are about the whole daemon: a token for certain sessions or agents never has them.

## Fields

What needs more than the route it is sent to:

${markdownTable(
  ["field", "right"],
  FIELDS.map(([field, right]) => [field, `\`${right}\``]),
)}

## Routes

The least right that each route needs. It is checked before the body is read.

${sections().map(routesSection).join("\n\n")}
`;
}

function rightRow([name, { role, text, ...rest }]: [string, (typeof RIGHTS)[Right]]): string[] {
  const marks = ROLES.map((each) => (ROLES.indexOf(each) >= ROLES.indexOf(role) ? "yes" : ""));
  return [`\`${name}\`${"isGlobal" in rest ? " *" : ""}`, text, ...marks];
}

function sections(): { title: string; routes: DocumentedRoute[]; channels: DocumentedRoute[] }[] {
  return [
    { title: "/v1", routes: Object.values<DocumentedRoute>(routes), channels: [] },
    ...DIALECTS.map(({ name, routes, channels = [] }) => ({
      title: name,
      routes: Object.values<DocumentedRoute>(routes),
      channels: channels.map(({ path, right }) => ({ method: "WebSocket", path, right })),
    })),
  ];
}

function routesSection({ title, routes, channels }: ReturnType<typeof sections>[number]): string {
  const sorted = [...routes, ...channels].sort(byPlace);
  const rows = sorted.map(({ method, path, right, fieldRights = {} }) => {
    const fields = Object.entries(fieldRights).flatMap(([field, values]) =>
      Object.entries(values).map(([value, more]) => `; with \`${field}=${value}\` \`${more}\``),
    );
    const verb = method === "WebSocket" ? method : method.toUpperCase();
    return [`\`${verb} ${path}\``, right === undefined ? "no token" : `\`${right}\`${fields.join("")}`];
  });
  return `### ${title}\n\n${markdownTable(["route", "right"], rows)}`;
}

/** Modules list what they export in an order of their own. */
function byPlace(one: DocumentedRoute, other: DocumentedRoute): number {
  const [a, b] = [one, other].map(({ path, method }) => `${path} ${method}`);
  return a! < b! ? -1 : 1;
}
