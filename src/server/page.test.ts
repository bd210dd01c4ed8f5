import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OpenAPIHono } from "@hono/zod-openapi";
import { afterAll, beforeAll, expect, test } from "vitest";
import { problemResponse } from "./error-response.ts";
import type { App, AppEnvironment } from "./mount.ts";
import { PAGE_POLICY, page } from "./page.ts";

let directory: string;
let app: App;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "interlingua-page-"));
  await mkdir(join(directory, "assets"));
  await writeFile(join(directory, "index.html"), "<!doctype html><title>built</title>");
  await writeFile(join(directory, "assets/index-Ab1_-2.js"), "export {};");
  await writeFile(join(directory, "secret.txt"), "secret");
  await mkdir(join(directory, "icons"));
  for (const name of ["manifest.webmanifest", "sw.js", "icons/icon-192.png"])
    await writeFile(join(directory, name), "content");
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
