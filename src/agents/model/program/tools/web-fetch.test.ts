import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import zlib from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../../../testkit/until.ts";
import { call, toolBench } from "./tool-test-support.ts";
import type { WebSettings } from "./web/web-settings.ts";
import { webFetch } from "./web-fetch.ts";

async function serve(handler: http.RequestListener): Promise<{ port: number; url: string; paths: string[] }> {
  const paths: string[] = [];
  const server = http.createServer((request, response) => {
    paths.push(request.url!);
    handler(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, paths };
}

function fetchPage(url: string, web: Partial<WebSettings> = {}, signal?: AbortSignal) {
  const bench = toolBench({ web: { allowPrivate: true, ...web }, ...(signal && { signal }) });
  return call(webFetch, { url }, bench);
}

it("gives the text of a page, and where it came from", async () => {
  const { url } = await serve((request, response) => {
    if (request.url === "/old") return void response.writeHead(302, { location: "/new?x=1" }).end();
    response.writeHead(404, { "content-type": "text/html; charset=iso-8859-1" });
    response.end(Buffer.from("<title>T</title><p>gr\u00fcn", "latin1"));
  });
  expect(await fetchPage(`${url}/old`)).toEqual({
    type: "web_browse_result",
    mode: "http",
    url: `${url}/old`,
    final_url: `${url}/new?x=1`,
    status: 404,
    content_type: "text/html; charset=iso-8859-1",
    encoding: "windows-1252",
    text: "# T\n\ngr\u00fcn",
  });
});

describe("an address that is not public is refused", () => {
  it.each([
    ...["http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://0.0.0.0/"],
    ...["http://0/", "http://2130706433/", "http://0x7f.1/", "http://017700000001/", "http://127.1/"],
    ...["http://127.0.0.1./", "http://%31%32%37.0.0.1/", "http://127。0。0。1/"],
    ...["http://[::127.0.0.1]/", "http://[2002:7f00:1::]/", "http://[64:ff9b:1::1]/", "http://[fd00::1]/"],
    ...["http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[64:ff9b::7f00:1]/", "http://[::]/"],
    ...[
      "http://169.254.169.254/latest/meta-data/",
      "http://10.0.0.1/",
      "http://[fe80::1]/",
      "http://１２７.0.0.1/",
    ],
  ])("%s", async (url) => {
    expect(await fetchPage(url, { allowPrivate: false })).toMatchObject({
      type: "web_browse_error",
      name: "web_fetch",
      code: "refused_address",
      error: expect.stringContaining("not a public address"),
    });
  });

  it("also when a name leads there, and when only one of its addresses does", async () => {
    const { port, paths } = await serve((_request, response) => response.end("secret"));
    for (const addresses of [["127.0.0.1"], ["93.184.215.14", "127.0.0.1"], ["::ffff:127.0.0.1"]])
      expect(
        await fetchPage(`http://public.example:${port}/`, {
          allowPrivate: false,
          resolve: async () => addresses,
        }),
      ).toMatchObject({ code: "refused_address" });
    expect(paths).toEqual([]);
  });

  it("also at a redirect", async () => {
    const { port, paths } = await serve((request, response) => {
      if (request.url === "/start")
        response.writeHead(301, { location: "http://inner.example:1/secret" }).end();
      else response.end("secret");
    });
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return [name === "public.example" ? "127.0.0.1" : "10.0.0.1"];
    };
    // The first hop is let through here as if its address were public.
    const web: WebSettings = {
      resolve,
      get allowPrivate() {
        return asked.length === 1;
      },
    };
    const bench = toolBench({ web });
    expect(await call(webFetch, { url: `http://public.example:${port}/start` }, bench)).toMatchObject({
      code: "refused_address",
      error: expect.stringContaining("10.0.0.1"),
    });
    expect(asked).toEqual(["public.example", "inner.example"]);
    expect(paths).toEqual(["/start"]);
  });
});

it("connects to the very address it checked, and looks a name up once", async () => {
  const hosts: (string | undefined)[] = [];
  const { port } = await serve((request, response) => {
    hosts.push(request.headers.host);
    response.setHeader("content-type", "text/plain");
    response.end("reached");
  });
  let lookups = 0;
  const resolve = async () => {
    lookups += 1;
    // What a name server that changes its mind would say next.
    return [lookups === 1 ? "127.0.0.1" : "127.9.9.9"];
  };
  const result = await fetchPage(`http://rebinding.example:${port}/`, { resolve });
  expect(result).toMatchObject({ text: "reached", status: 200 });
  expect(hosts).toEqual([`rebinding.example:${port}`]);
  expect(lookups).toBe(1);
});

it("tells an https server the name it wants", async () => {
  const hello = Promise.withResolvers<Buffer>();
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => {
      hello.resolve(data);
      socket.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const result = await fetchPage(`https://named.example:${port}/`, { resolve: async () => ["127.0.0.1"] });
  expect(result).toMatchObject({ code: "request_failed" });
  expect((await hello.promise).includes("named.example")).toBe(true);
});

it.each([
  ["file:///etc/passwd", /neither http nor https/],
  ["ftp://example.com/", /neither http nor https/],
  ["data:text/plain,x", /neither http nor https/],
  ["http://user:password@example.com/", /user's name or password/],
  ["/relative", /cannot be read/],
  ["", /cannot be read/],
  [`http://example.com/${"x".repeat(9000)}`, /cannot be read/],
])("%s is refused", async (url, error) => {
  const result = await fetchPage(url);
  expect(result).toMatchObject({ type: "web_browse_error", code: "invalid_argument" });
  expect(result.error).toMatch(error);
});

it.each([
  ["file:///etc/passwd", "invalid_argument"],
  ["gopher://127.0.0.1:6379/_INFO", "invalid_argument"],
  ["data:text/plain,x", "invalid_argument"],
  ["//user:password@example.com/", "invalid_argument"],
  ["http://user@example.com/", "invalid_argument"],
  ["/again", "too_many_redirects"],
])("a redirect to %s is refused", async (location, code) => {
  const { url, paths } = await serve((_request, response) => response.writeHead(307, { location }).end());
  expect(await fetchPage(url)).toMatchObject({ code });
  expect(paths.length).toBeLessThanOrEqual(6);
});

it.each(["image/png", "application/pdf", "application/octet-stream", "video/mp4"])(
  "%s is refused before it is read",
  async (type) => {
    const { url } = await serve((_request, response) => {
      // It never ends.
      response.writeHead(200, { "content-type": type }).write("x");
    });
    expect(await fetchPage(url)).toMatchObject({
      code: "unsupported_content",
      error: expect.stringContaining(type),
    });
  },
);

it.each<[name: string, encode: (body: Buffer) => Buffer]>([
  ["gzip", (body) => zlib.gzipSync(body)],
  ["deflate", (body) => zlib.deflateSync(body)],
  ["br", (body) => zlib.brotliCompressSync(body)],
])("unpacks %s, and stops where a bomb would burst", async (encoding, encode) => {
  const small = encode(Buffer.from('{"a": 1}'));
  const bomb = encode(Buffer.alloc(64 * 1024 * 1024, "x"));
  const { url } = await serve((request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
    response.end(request.url === "/bomb" ? bomb : small);
  });
  expect(await fetchPage(url)).toMatchObject({ text: '{"a": 1}' });
  const cut = await fetchPage(`${url}/bomb`, { limits: { maxBytes: 100_000 } });
  expect(cut).toMatchObject({ truncated: true });
  expect(cut.text).toHaveLength(100_000);
});

it("says what it cannot unpack", async () => {
  const { url } = await serve((request, response) => {
    const encoding = request.url === "/broken" ? "gzip" : "gzip, gzip";
    response.writeHead(200, { "content-type": "text/plain", "content-encoding": encoding }).end("no");
  });
  expect(await fetchPage(url)).toMatchObject({ code: "unsupported_content" });
  expect(await fetchPage(`${url}/broken`)).toMatchObject({ code: "request_failed" });
});

it.each<[name: string, handler: http.RequestListener]>([
  ["never answers", () => {}],
  ["never ends", (_, response) => void response.writeHead(200, { "content-type": "text/plain" }).write("x")],
  [
    "drips",
    (_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    },
  ],
  [
    "stops in the middle of what is compressed",
    (_, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
      response.write(zlib.gzipSync("start").subarray(0, 12));
    },
  ],
])("a server that %s is left after a while, and at once when the turn is stopped", async (_name, handler) => {
  const { url, paths } = await serve(handler);
  expect(await fetchPage(url, { limits: { timeoutMs: 300 } })).toMatchObject({ code: "timeout" });
  const controller = new AbortController();
  const running = fetchPage(`${url}/stopped`, {}, controller.signal);
  await until(() => paths.includes("/stopped"));
  controller.abort();
  expect(await running).toMatchObject({ code: "aborted" });
});

it("an endless body is cut, and the connection closed", async () => {
  let isClosed = false;
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.on("drain", more);
    response.on("close", () => {
      isClosed = true;
    });
    more();
  });
  const result = await fetchPage(url, { limits: { maxBytes: 1000 } });
  expect(result).toMatchObject({ truncated: true, text: "x".repeat(1000) });
  await until(() => isClosed);
});

it("headers without end, a server that hangs up and a closed port are told as failures", async () => {
  const { url } = await serve((request, response) => {
    if (request.url === "/headers") response.writeHead(200, { "x-long": "x".repeat(40_000) }).end();
    else request.socket.destroy();
  });
  expect(await fetchPage(`${url}/headers`)).toMatchObject({ code: "request_failed" });
  expect(await fetchPage(url)).toMatchObject({ code: "request_failed" });
  const closed = net.createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  expect(await fetchPage(`http://127.0.0.1:${port}/`)).toMatchObject({
    code: "request_failed",
    error: expect.stringContaining("ECONNREFUSED"),
  });
  const failing = { resolve: () => Promise.reject(new Error("getaddrinfo ENOTFOUND nowhere.example")) };
  expect(await fetchPage("http://nowhere.example/", failing)).toMatchObject({
    code: "request_failed",
    error: expect.stringContaining("ENOTFOUND"),
  });
});
