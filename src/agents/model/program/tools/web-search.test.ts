import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { call, toolBench } from "./tool-test-support.ts";
import type { SearchProvider } from "./web/web-settings.ts";
import { webSearch } from "./web-search.ts";

async function serve(answer: (request: http.IncomingMessage) => { status?: number; body: unknown }) {
  const requests: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    requests.push(request);
    const { status = 200, body } = answer(request);
    if (status >= 300 && status < 400) response.writeHead(status, { location: String(body) }).end();
    else response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function find(search: SearchProvider | undefined, num_results?: number, searchKey?: string) {
  const bench = toolBench({ web: { allowPrivate: false, search, searchKey } });
  return call(webSearch, { query: "fast & sse", num_results }, bench);
}

it("says that no provider is set", async () => {
  expect(await find(undefined)).toMatchObject({
    type: "web_search_error",
    name: "web_search",
    code: "not_configured",
    error: expect.stringContaining("no provider is set as web.search in the config file"),
  });
  expect(webSearch.unavailable!({ allowPrivate: false })).toContain("web.search");
});

it("says that the address of a provider is none", async () => {
  expect(await find({ type: "searxng", url: "searx.example" })).toMatchObject({
    code: "not_configured",
    error: expect.stringContaining("is no URL"),
  });
});

it.each(["", "/", "/search", "/sub/"])("asks SearXNG at %j", async (path) => {
  const results = Array.from({ length: 9 }, (_, index) => ({
    title: `T${index}`,
    url: `https://example.com/${index}`,
    content: index === 0 ? null : "C",
    engine: "x",
  }));
  const { url, requests } = await serve(() => ({ body: { results } }));
  expect(await find({ type: "searxng", url: url + path }, 2)).toEqual({
    type: "web_search_result",
    query: "fast & sse",
    results: [
      { title: "T0", url: "https://example.com/0", snippet: "" },
      { title: "T1", url: "https://example.com/1", snippet: "C" },
    ],
    count: 2,
  });
  const prefix = path === "/sub/" ? "/sub" : "";
  expect(requests.map(({ url }) => url)).toEqual([`${prefix}/search?q=fast+%26+sse&format=json`]);
  expect((await find({ type: "searxng", url })).results).toHaveLength(5);
});

it("asks Brave with its key, and gives the key to nobody else", async () => {
  const keyEnv = "TOOLS_TEST_BRAVE_KEY";
  expect(await find({ type: "brave", keyEnv })).toMatchObject({
    code: "not_configured",
    error: expect.stringContaining(keyEnv),
  });
  const hits = { web: { results: [{ title: "T", url: "https://example.com/", description: "D" }] } };
  const good = await serve(() => ({ body: hits }));
  expect(await find({ type: "brave", keyEnv, url: `${good.url}/web` }, 3, "secret-key")).toMatchObject({
    results: [{ title: "T", url: "https://example.com/", snippet: "D" }],
  });
  expect(good.requests[0]).toMatchObject({
    url: "/web?q=fast+%26+sse&count=3",
    headers: { "x-subscription-token": "secret-key" },
  });
  const leading = await serve(() => ({ status: 302, body: `${good.url}/elsewhere` }));
  await find({ type: "brave", keyEnv, url: leading.url }, 5, "secret-key");
  expect(good.requests[1]).toMatchObject({ url: "/elsewhere" });
  expect(good.requests[1]!.headers).not.toHaveProperty("x-subscription-token");
});

it.each([
  [{ status: 429, body: "slow down" }, /answered with 429/],
  [{ body: "<html>" }, /did not answer with its JSON/],
  [{ body: { results: "none" } }, /did not answer with its JSON/],
])("tells what a provider does wrong", async (answer, error) => {
  const { url } = await serve(() => answer);
  const result = await find({ type: "searxng", url });
  expect(result).toMatchObject({ type: "web_search_error", code: "request_failed" });
  expect(result.error).toMatch(error);
});
