import { z } from "@hono/zod-openapi";
import { defineRoute, eventStream, json } from "../define-route.ts";
import {
  agentListSchema,
  agentParams,
  agentViewSchema,
  healthSchema,
  installationFrameSchema,
  livenessSchema,
  nodeListSchema,
  readinessSchema,
  usageQuerySchema,
  usageSchema,
} from "../schemas/service.ts";

export const listAgents = defineRoute({
  method: "get",
  path: "/v1/agents",
  operationId: "listAgents",
  right: "service.read",
  summary: "The agents there are",
  tags: ["agents"],
  responses: { 200: json("The agents", agentListSchema) },
});

export const getAgent = defineRoute({
  method: "get",
  path: "/v1/agents/{agent}",
  operationId: "getAgent",
  right: "service.read",
  summary: "Probe an agent: installed, signed in, models, modes",
  tags: ["agents"],
  request: { params: agentParams },
  responses: { 200: json("The agent", agentViewSchema) },
  fails: ["agent_not_found"],
});

const installation =
  "The agent's view when it is installed, or a frame for each step where the client accepts those";

export const installAgent = defineRoute({
  method: "post",
  path: "/v1/agents/{agent}/install",
  operationId: "installAgent",
  right: "agent.install",
  summary: "Install an agent; calls at the same time join one installation, and leaving does not stop it",
  tags: ["agents"],
  request: { params: agentParams },
  responses: {
    200: {
      description: installation,
      content: {
        ...json(installation, agentViewSchema).content,
        ...eventStream(installation, installationFrameSchema).content,
      },
    },
  },
  fails: ["agent_not_found", "unsupported", "install_failed", "shutting_down"],
});

export const getUsage = defineRoute({
  method: "get",
  path: "/v1/usage",
  operationId: "getUsage",
  right: "session.read",
  summary: "Tokens, cost, time, tools and asks by session, agent, day, model and directory",
  tags: ["usage"],
  request: { query: usageQuerySchema },
  responses: {
    200: {
      description: "What was used",
      content: { "application/json": { schema: usageSchema }, "text/csv": { schema: z.string() } },
    },
  },
  fails: ["invalid_request"],
});

export const getHealth = defineRoute({
  method: "get",
  path: "/v1/health",
  operationId: "getHealth",
  summary: "Whether the daemon can do its work; needs no token",
  tags: ["service"],
  security: [],
  responses: {
    200: json("It can", healthSchema),
    503: json("The log cannot be written, the database not be read, or file work stands still", healthSchema),
  },
});

export const getLiveness = defineRoute({
  method: "get",
  path: "/v1/health/live",
  operationId: "getLiveness",
  summary: "Whether the daemon answers at all; asks no database and needs no token",
  tags: ["service"],
  security: [],
  responses: { 200: json("It does", livenessSchema) },
});

export const getReadiness = defineRoute({
  method: "get",
  path: "/v1/health/ready",
  operationId: "getReadiness",
  summary: "Whether a load balancer should send it requests; needs no token",
  tags: ["service"],
  security: [],
  responses: {
    200: json("It should", readinessSchema),
    503: json(
      "It was told to go, has lost its lease, does not agree with the other nodes, cannot write, or its file work stands still",
      readinessSchema,
    ),
  },
});

export const listNodes = defineRoute({
  method: "get",
  path: "/v1/nodes",
  operationId: "listNodes",
  right: "service.operate",
  summary: "The daemons that share the sessions: those that live, and those that died last",
  tags: ["service"],
  responses: { 200: json("The nodes", nodeListSchema) },
  fails: ["store_busy"],
});

export const getOpenApi = defineRoute({
  method: "get",
  path: "/v1/openapi.json",
  operationId: "getOpenApi",
  summary: "This document; needs no token",
  tags: ["service"],
  security: [],
  responses: { 200: json("An OpenAPI 3.1 document", z.looseObject({ openapi: z.string() })) },
});

export const getMetrics = defineRoute({
  method: "get",
  path: "/metrics",
  operationId: "getMetrics",
  right: "service.operate",
  summary: "Counters and gauges in the Prometheus text format",
  tags: ["service"],
  responses: { 200: { description: "The metrics", content: { "text/plain": { schema: z.string() } } } },
});
