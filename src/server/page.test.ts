import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { serve } from "@hono/node-server";
import { OpenAPIHono } from "@hono/zod-openapi";
import { afterAll, beforeAll, expect, test } from "vitest";
import { problemResponse } from "./answers/error-response.ts";
import type { App, AppEnvironment } from "./mount.ts";
import { PAGE_POLICY, page } from "./page.ts";

const SCRIPT = `export const words = ${JSON.stringify(Array.from({ length: 500 }, (_, n) => `word ${n}`))};`;

let directory: string;
let app: App;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "interlingua-page-"));
  await mkdir(join(directory, "assets"));
  await writeFile(join(directory, "index.html"), "<!doctype html><title>built</title>");
  await writeFile(join(directory, "assets/index-Ab1_-2.js"), "export {};");
  await writeFile(join(directory, "assets/long-1.js"), SCRIPT);
  await writeFile(join(directory, "secret.txt"), "secret");
  await mkdir(join(directory, "icons"));
  for (const name of ["manifest.webmanifest", "sw.js"]) await writeFile(join(directory, name), "content");
  await writeFile(join(directory, "icons/icon-192.png"), "content".repeat(1000));
  app = pageOf(directory);
});

afterAll(() => rm(directory, { recursive: true }));

function pageOf(place: string): App {
  const made: App = new OpenAPIHono<AppEnvironment>();
  const reference = () => "<!doctype html><title>routes</title>";
  made.use(page({ allowedHosts: () => new Set(["localhost:1"]), reference, directory: place }));
  made.notFound((context) => context.body("the guard", 401));
  made.onError((error, context) => {
    const { status, body } = problemResponse(error);
    return context.body(JSON.stringify(body), status as 400);
  });
  return made;
}

function get(path: string, from = app, host = "localhost:1") {
  return from.request(path, { headers: { host } });
}

test("the page is served without a token, under the strict policy", async () => {
  const response = await get("/");
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("built");
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toBe(PAGE_POLICY);
  expect(response.headers.get("cache-control")).toBe("no-cache");
});

test("the reference is served without a token and without a build, under the strict policy", async () => {
  const response = await get("/docs", pageOf(join(directory, "missing")));
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("routes");
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toBe(PAGE_POLICY);
  expect((await get("/docs", app, "evil.example")).status).toBe(403);
});

test("the reference is also found with a slash at the end", async () => {
  expect((await get("/docs/")).status).toBe(200);
});

test("the policy allows nothing inline and nothing from elsewhere", () => {
  expect(PAGE_POLICY).not.toMatch(/unsafe|https?:|\*/);
});

test("what the page is installed with has its types, and is looked at again each time", async () => {
  for (const [path, type] of [
    ["/manifest.webmanifest", "application/manifest+json"],
    ["/sw.js", "text/javascript; charset=utf-8"],
    ["/icons/icon-192.png", "image/png"],
  ] as const) {
    const response = await get(path);
    expect(response.headers.get("content-type"), path).toBe(type);
    expect(response.headers.get("cache-control"), path).toBe("no-cache");
    expect((await get(path, app, "evil.example")).status, path).toBe(403);
  }
  expect((await get("/icons/other.png")).status).toBe(401);
});

test("files with a hash in their name are kept for ever", async () => {
  const response = await get("/assets/index-Ab1_-2.js");
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
});

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Over a real connection, where nothing is decompressed on the way. */
async function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  try {
    if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    return await new Promise<Answer>((resolve, reject) => {
      const all = { host: "localhost:1", ...headers };
      const sent = request({ host: "127.0.0.1", port, path, method, headers: all }, async (response) => {
        const { statusCode: status, headers: given } = response;
        resolve({ status, headers: given, body: await buffer(response) });
      });
      sent.on("error", reject).end();
    });
  } finally {
    server.close();
  }
}

test.each<[accepted: string | undefined, encoding: string | undefined]>([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP;q=0.9, br;q=0.1", "gzip"],
  ["br;q=0, *", "gzip"],
  ["br;q=0, gzip;q=0", undefined],
  ["identity", undefined],
  ["zstd", undefined],
  ["", undefined],
  [undefined, undefined],
])("a browser that accepts %s gets a script as %s, and HEAD says so", async (accepted, encoding) => {
  const headers = accepted === undefined ? undefined : { "accept-encoding": accepted };
  const answer = await ask("/assets/long-1.js", headers);
  expect(answer.headers["content-encoding"]).toBe(encoding);
  expect(answer.headers.vary).toBe("Accept-Encoding");
  expect(answer.headers["content-length"]).toBe(`${answer.body.byteLength}`);
  expect(answer.body.byteLength < SCRIPT.length).toBe(encoding !== undefined);
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ""] ?? ((body: Buffer) => body);
  expect(decode(answer.body).toString()).toBe(SCRIPT);

  const { status, headers: head, body } = await ask("/assets/long-1.js", headers, "HEAD");
  expect([status, body.byteLength]).toEqual([200, 0]);
  expect({ ...head, date: "" }).toEqual({ ...answer.headers, date: "" });
});

test("what is short or compressed already is sent as it is", async () => {
  const headers = { "accept-encoding": "br" };
  for (const path of ["/assets/index-Ab1_-2.js", "/icons/icon-192.png"])
    expect((await ask(path, headers)).headers["content-encoding"], path).toBeUndefined();
  expect((await ask("/icons/icon-192.png", headers)).headers.vary).toBeUndefined();
});

test("who has a file gets it again only when it has changed, whatever the encoding was", async () => {
  const page = join(directory, "theme.js");
  await writeFile(page, SCRIPT);
  const { etag } = (await ask("/theme.js", { "accept-encoding": "br" })).headers;
  for (const known of [etag!, `"other", ${etag}`, etag!.replace("W/", ""), "*"]) {
    const answer = await ask("/theme.js", { "accept-encoding": "gzip", "if-none-match": known });
    expect([answer.status, answer.body.byteLength], known).toEqual([304, 0]);
    expect(answer.headers).toMatchObject({ etag, vary: "Accept-Encoding", "cache-control": "no-cache" });
  }
  await writeFile(page, SCRIPT.toUpperCase());
  const changed = await ask("/theme.js", { "accept-encoding": "gzip", "if-none-match": etag! });
  expect([changed.status, gunzipSync(changed.body).toString()]).toEqual([200, SCRIPT.toUpperCase()]);
});

test("many who ask at once get the same", async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => ask("/assets/long-1.js", { "accept-encoding": "br" })),
  );
  for (const { body } of answers) expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
});

test.each(["/assets/../secret.txt", "/assets/..%2fsecret.txt", "/assets/%2e%2e/secret.txt", "/secret.txt"])(
  "%s leads nowhere",
  async (path) => {
    const response = await get(path);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).not.toBe("secret");
  },
);

test("a file that is not there is 404", async () => {
  expect((await get("/assets/other-123.js")).status).toBe(404);
});

test("another host name is refused", async () => {
  expect((await get("/", app, "evil.example")).status).toBe(403);
});

test("without a build it says how to make one", async () => {
  const response = await get("/", pageOf(join(directory, "missing")));
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("npm run build:web");
});
