/** Dialects that cannot be mounted side by side keep the daemon from starting. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "@hono/zod-openapi";
import { expect, it } from "vitest";
import { startDaemon } from "../../src/daemon.ts";
import type { AnyDialect } from "../../src/dialects/dialect.ts";
import { defineRoute } from "../../src/protocol/define-route.ts";
import { DaemonClient } from "../daemon-client.ts";
import { transcript } from "./transcript-dialect.ts";

function routeAt(path: string) {
  return defineRoute({
    method: "get",
    path,
    operationId: path,
    right: "service.read",
    summary: "Refuses everything",
    request: {
      params: z.object({
        id: z
          .string()
          .regex(/^good$/)
          .optional(),
      }),
    },
    responses: { 200: { description: "Nothing", content: { "text/plain": { schema: z.string() } } } },
  });
}

function dialectAt(path: string, routes: readonly string[] = [`${path}/read`], name = "other"): AnyDialect {
  return {
    name,
    description: "For tests",
    path,
    routes: Object.fromEntries(routes.map((route, index) => [`route${index}`, routeAt(route)])),
    contentRoutes: [],
    view: { scope: "session", resume: "none", create: () => ({ add: () => [] }) },
    handlers: () =>
      Object.fromEntries(
        routes.map((_, index) => [`route${index}`, (_: never, call) => call.answer(200, "")]),
      ),
    describeProblem: ({ code }) => ({ body: `its own: ${code}`, headers: { "content-type": "text/plain" } }),
  };
}

function withChannels(...paths: string[]): AnyDialect {
  const handler = () => async () => () => {};
  const channels = paths.map((path) => ({ path, right: "session.read" as const, handler }));
  return { ...dialectAt("/other"), channels };
}

it.each<[string, AnyDialect[], string]>([
  [
    "a route outside of the dialect's path",
    [dialectAt("/other", ["/else/read"])],
    'Move it under the dialect\'s path "/other"',
  ],
  ["a route beside the dialect's path", [dialectAt("/other", ["/otherwise"])], "Move it under"],
  ["/v1 as a path", [dialectAt("/v1")], 'holds "/v1/'],
  ["all sessions of /v1 as a path", [dialectAt("/v1/{any}")], 'holds "/v1/'],
  ["a path that one of our routes shadows", [dialectAt("/v1/sessions/special")], 'holds "/v1/sessions/{id}"'],
  ["a path of the page", [dialectAt("/assets")], 'holds "/assets/{file}"'],
  ["the root as a path", [dialectAt("/", ["/read"])], 'The path "/" of the dialect "other" cannot be used'],
  ["a path with a slash at the end", [dialectAt("/other/")], "cannot be used"],
  ["two dialects of one name", [transcript, dialectAt("/other", undefined, "transcript")], "Rename one"],
  [
    "the name of a built-in dialect",
    [dialectAt("/other", undefined, "chat")],
    'Two dialects are called "chat"',
  ],
  ["a name with a slash", [dialectAt("/other", undefined, "a/b")], "needs another name"],
  ["a route of a built-in dialect", [dialectAt("/api/chat", ["/api/chat/{any}/messages"])], "overlap"],
  [
    "a path around another dialect's",
    [dialectAt("/api")],
    'The dialects "chat" at "/api/chat" and "other" at "/api" overlap',
  ],
  ["a channel outside of the dialect's path", [withChannels("/else")], "Move it under the dialect's path"],
  ["a channel in the way of a route", [withChannels("/other/read")], "matches the same requests"],
  ["two channels at one path", [withChannels("/other/{a}", "/other/{b}")], "matches the same requests"],
  [
    "two routes for the same requests",
    [dialectAt("/other", ["/other/{a}", "/other/{b}"])],
    "match the same requests",
  ],
])("%s keeps the daemon from starting, and nothing is left behind", async (_, dialects, sentence) => {
  const folder = mkdtempSync(join(tmpdir(), "interlingua-dialects-"));
  const data = join(folder, "data");
  try {
    await expect(startDaemon({ data, port: 0, dialects })).rejects.toThrow(sentence);
    expect(existsSync(data)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("a dialect under /v1 words the problems of its own routes, and /v1 keeps its own", async () => {
  const path = "/v1/sessions/{id}/other";
  const daemon = await startDaemon({ data: ":memory:", port: 0, dialects: [dialectAt(path, [path])] });
  try {
    const client = new DaemonClient(daemon);
    const wording = async (method: string, address: string) =>
      (await (await client.request(method, address)).text()).startsWith("its own: ");
    expect((await client.request("GET", "/v1/sessions/good/other")).status).toBe(200);
    // Bad input, another method, nothing there.
    expect(await wording("GET", "/v1/sessions/bad/other")).toBe(true);
    expect(await wording("POST", "/v1/sessions/good/other")).toBe(true);
    expect(await wording("GET", "/v1/sessions/good/other/more")).toBe(true);
    expect(await (await fetch(`${daemon.url}/v1/sessions/good/other`)).text()).toBe("its own: unauthorized");
    expect(await wording("GET", "/v1/sessions/none")).toBe(false);
    expect(await wording("GET", "/v1/sessions/none/messages")).toBe(false);
    expect(await wording("GET", "/v1/sessions/none/otherness")).toBe(false);
    expect(await wording("GET", "/v1/nothing")).toBe(false);
  } finally {
    await daemon.close();
  }
});
