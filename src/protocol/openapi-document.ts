/** The OpenAPI 3.1 document, made from the route table and from the routes of dialects. */
import { OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import { routes } from "./route-table.ts";

type DocumentedRoute = RouteConfig & { readonly right?: string; readonly fieldRights?: object };

/** What the document needs from a dialect. */
export interface DocumentedDialect {
  readonly name: string;
  readonly description: string;
  readonly routes: Readonly<Record<string, DocumentedRoute>>;
}

export function openApiDocument(version: string, dialects: readonly DocumentedDialect[] = []) {
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono();
  openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description:
      "The token the daemon was started with. The scheme `Token` is accepted in place of `Bearer`.",
  });
  for (const table of [routes, ...dialects.map((dialect) => dialect.routes)])
    for (const { right, fieldRights: _, ...route } of Object.values<DocumentedRoute>(table))
      openAPIRegistry.registerPath({ ...route, ...(right && { "x-right": right }) });
  return getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Interlingua",
      version,
      description: "Run any coding agent, speak to any client: one durable event log in the middle.",
      license: { name: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: [
      { name: "sessions", description: "Conversations with an agent in a directory" },
      { name: "messages", description: "Prompts, the conversation and the queue" },
      { name: "events", description: "The log, as pages and as streams" },
      { name: "tasks", description: "What agents do in the background" },
      { name: "asks", description: "Permissions, questions and plans that wait for a person" },
      { name: "workspace", description: "Checkpoints of files: what changed, and the way back" },
      { name: "people", description: "Tokens, invitations, and who did what" },
      { name: "agents", description: "What can be run" },
      { name: "usage", description: "Tokens, money and time" },
      { name: "service", description: "The daemon itself" },
      ...dialects.map(({ name, description }) => ({ name, description })),
    ],
  });
}
