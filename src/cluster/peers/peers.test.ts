/** Both sides over real sockets, and what strangers get. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { InterlinguaError } from "../../core/error.ts";
import type { NodeAddress } from "../../core/ownership.ts";
import { until } from "../../testkit/until.ts";
import { PeerUnreachableError } from "./peer-transport.ts";
import { signAddress, signatureKey, signRequest } from "./request-signature.ts";
import { requestHeaders } from "./signature-headers.ts";
import { type Peers, type StartPeersOptions, startPeers } from "./start-peers.ts";

const SECRET = "only-for-tests-".repeat(3);
const opened: Peers[] = [];
const logged: object[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((peers) => peers.close()));
  logged.length = 0;
});

const DATABASE = "00000000-0000-4000-8000-000000000001";
const COPY = "00000000-0000-4000-8000-000000000002";

async function start(
  number: number,
  options: Partial<StartPeersOptions> = {},
  { database = DATABASE, living = [1, 2, 3, 4] } = {},
): Promise<Peers> {
  const log = (details: object) => void logged.push(details);
  const peers = await startPeers({
    advertise: "http://127.0.0.1:0",
    host: "127.0.0.1",
    port: 0,
    secret: SECRET,
    logger: { warn: log, error: log },
    ...options,
  });
  peers.identify({
    node: () => number,
    database: () => database,
    isLiving: async (node) => living.includes(node),
  });
  opened.push(peers);
  return peers;
}

function address(peers: Peers, id: number): NodeAddress {
  const [daemon, { url }] = [`daemon-${id}`, peers];
  return { id, name: `node-${id}`, url, daemon, proof: signAddress(signatureKey(SECRET), { daemon, url }) };
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => expect.fail(`it resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

describe("a call", () => {
  it("gets its answer, and says who calls", async () => {
    const [a, b] = [await start(1), await start(2)];
    b.routes.onCall("/echo", async (body, from) => ({ body, from }));
    const bodies = [{ text: "grüße \u0000 \ud83d\ude80" }, null, [1, "2"], "x".repeat(3_000_000)];
    for (const body of bodies)
      expect(await a.transport.call(address(b, 2), "/echo", body)).toEqual({ body, from: 1 });
    b.routes.onCall("/nothing", async () => undefined);
    expect(await a.transport.call(address(b, 2), "/nothing", {})).toBeUndefined();
  });

  it("throws what the other side threw", async () => {
    const [a, b] = [await start(1), await start(2)];
    const problem = new InterlinguaError("ask_answered", "Somebody was faster.", {
      answer: { option: "once", by: "owner" },
      retryAfterSeconds: 3,
      cause: new Error("not for others"),
    });
    b.routes.onCall("/problem", () => Promise.reject(problem));
    const error = (await failure(a.transport.call(address(b, 2), "/problem", {}))) as InterlinguaError;
    expect(InterlinguaError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: "ask_answered", message: "Somebody was faster.", status: 409 });
    expect(error.extras).toEqual({ answer: { option: "once", by: "owner" }, retryAfterSeconds: 3 });

    b.routes.onCall("/fault", () => Promise.reject(new Error("a path of this machine")));
    const fault = (await failure(a.transport.call(address(b, 2), "/fault", {}))) as InterlinguaError;
    expect(fault).toMatchObject({ code: "internal" });
    expect(fault.message).not.toContain("a path");
    expect(logged).toMatchObject([{ path: "/call/fault" }]);
  });

  it("tells whether a node that does not answer may have got it", async () => {
    const [a, b] = [await start(1), await start(2)];
    const gone = await start(3);
    await gone.close();
    const refused = await failure(a.transport.call(address(gone, 3), "/echo", {}));
    expect(refused).toBeInstanceOf(PeerUnreachableError);
    expect(refused).toMatchObject({ mayHaveArrived: false });
    const silent = await failure(a.transport.call({ id: 4, name: "d" }, "/echo", {}));
    expect(silent).toMatchObject({ mayHaveArrived: false });
    const unknown = await failure(a.transport.call(address(b, 2), "/unknown", {}));
    expect(unknown).toMatchObject({ name: "PeerUnreachableError", mayHaveArrived: false });
    b.routes.onCall("/slow", () => new Promise(() => {}));
    const slow = await failure(a.transport.call(address(b, 2), "/slow", {}, { timeoutMs: 50 }));
    expect(slow).toMatchObject({ name: "PeerUnreachableError", mayHaveArrived: true });
  });

  it("is refused where the secret is another, or the node is another than was meant", async () => {
    const a = await start(1);
    const b = await start(2, { secret: "another-secret-".repeat(3) });
    let calls = 0;
    b.routes.onCall("/count", async () => {
      calls += 1;
    });
    expect(await failure(a.transport.call(address(b, 2), "/count", {}))).toMatchObject({
      name: "PeerUnreachableError",
      message: expect.stringContaining("has another secret"),
    });
    const c = await start(3);
    c.routes.onCall("/count", async () => {
      calls += 1;
    });
    expect(await failure(a.transport.call(address(c, 4), "/count", {}))).toBeInstanceOf(PeerUnreachableError);
    expect(await failure(a.transport.open(address(b, 2), "/count"))).toBeInstanceOf(PeerUnreachableError);
    expect(calls).toBe(0);
    expect(JSON.stringify(logged)).toContain("wrong signature");
    expect(JSON.stringify(logged)).not.toContain("secret-");
  });

  it("is refused where the databases differ, and says so", async () => {
    const [a, b] = [await start(1, {}, { database: COPY }), await start(2)];
    b.routes.onCall("/count", () => expect.fail("it was called"));
    b.routes.onOpen("/count", () => expect.fail("it was opened"));
    for (const work of [
      a.transport.call(address(b, 2), "/count", {}),
      a.transport.open(address(b, 2), "/count"),
    ])
      expect(await failure(work)).toMatchObject({
        code: "node_unreachable",
        message: expect.stringContaining("works with another database"),
      });
    expect(logged).toMatchObject([{ refused: { "another database": 1 } }]);
  });

  it("is refused where the caller does not live by the table of the node that is called", async () => {
    const [a, b] = [await start(1), await start(2, {}, { living: [2, 3] })];
    b.routes.onCall("/count", () => expect.fail("it was called"));
    for (const work of [
      a.transport.call(address(b, 2), "/count", {}),
      a.transport.open(address(b, 2), "/count"),
    ])
      expect(await failure(work)).toMatchObject({
        name: "PeerUnreachableError",
        mayHaveArrived: false,
        message: expect.stringContaining("does not know this node as a living one"),
      });
    expect(logged).toMatchObject([{ refused: { "not from a living node": 1 } }]);
  });

  it("is refused when it is too large, and says so", async () => {
    const [a, b] = [await start(1), await start(2, { maxBodyBytes: 1000 })];
    b.routes.onCall("/echo", async (body) => body);
    const error = await failure(a.transport.call(address(b, 2), "/echo", "x".repeat(2_000_000)));
    expect([(error as InterlinguaError).code, (error as Error).name]).toSatisfy(
      ([code, name]) => code === "body_too_large" || name === "PeerUnreachableError",
    );
  });
});

describe("what strangers send", () => {
  it("is answered with nothing but that this port is for nodes, and with 401 and no word where it tries to be signed", async () => {
    const b = await start(2);
    let calls = 0;
    b.routes.onCall("/count", async () => {
      calls += 1;
    });
    const body = "{}";
    const key = signatureKey(SECRET);
    const request = {
      method: "POST",
      path: "/call/count",
      from: 1,
      to: 2,
      database: DATABASE,
      at: Date.now(),
      nonce: "0".repeat(32),
      digest: "0".repeat(64),
    };
    const signed = requestHeaders(request, signRequest(key, request));
    const attempts: [string, RequestInit][] = [
      ["/call/count", { method: "POST", body }],
      ["/call/count", { method: "GET" }],
      ["/", { method: "OPTIONS", headers: { origin: "https://example.com" } }],
      ["/call/count", { method: "POST", body, headers: { authorization: "Bearer x" } }],
      // The signature is right, the body is not the one it covers.
      ["/call/count", { method: "POST", body, headers: signed }],
      // It was used.
      ["/call/count", { method: "POST", body, headers: signed }],
    ];
    const told = new Set<string>();
    for (const [path, init] of attempts) {
      const response = await fetch(b.url + path, init);
      const text = await response.text();
      if (init.headers === signed) expect([response.status, text]).toEqual([401, ""]);
      else {
        expect(response.status).toBe(403);
        expect(response.headers.get("content-type")).toBe("application/problem+json");
        expect(JSON.parse(text)).toMatchObject({
          code: "forbidden",
          detail: expect.stringContaining("This port is for other nodes."),
        });
        told.add(text);
      }
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect(told.size).toBe(1);
    expect(calls).toBe(0);
    // One line for all of them.
    expect(logged.length).toBe(1);
  });

  it("ends their connection when it is not HTTP", async () => {
    const b = await start(2);
    const socket = connect(Number(new URL(b.url).port), "127.0.0.1");
    socket.end("\u0016\u0003\u0001 hello\r\n\r\n");
    expect(await text(socket)).toBe("");
  });
});

describe("a stream", () => {
  async function pair(): Promise<{ here: Duplex; there: Duplex; from: number }> {
    const [a, b] = [await start(1), await start(2)];
    const taken = Promise.withResolvers<{ there: Duplex; from: number }>();
    b.routes.onOpen("/stream", (there, from) => taken.resolve({ there, from }));
    const here = await a.transport.open(address(b, 2), "/stream");
    return { here, ...(await taken.promise) };
  }

  it("carries bytes both ways before either end, in order", async () => {
    const { here, there, from } = await pair();
    expect(from).toBe(1);
    here.write("up");
    expect(String((await once(there, "data"))[0])).toBe("up");
    there.write("down");
    expect(String((await once(here, "data"))[0])).toBe("down");
    const much = Array.from({ length: 2000 }, (_, index) => `${index} `.repeat(200));
    const received = text(there);
    for (const part of much) if (!here.write(part)) await once(here, "drain");
    here.end();
    expect(await received).toBe(much.join(""));
    there.end("last");
    expect(await text(here)).toBe("last");
  });

  it("is over on both sides when one of them goes", async () => {
    const { here, there } = await pair();
    there.on("error", () => {});
    const closed = new Promise((resolve) => there.on("close", resolve));
    here.destroy();
    await closed;
    expect(there.destroyed).toBe(true);
  });

  it("ends when the other node closes", async () => {
    const { here, there } = await pair();
    there.on("error", () => {});
    const ended = new Promise((resolve) => here.on("error", resolve).on("close", resolve));
    here.resume();
    await opened[1]!.close();
    await ended;
    await until(() => here.destroyed);
  });

  it("is refused where nobody takes it", async () => {
    const [a, b] = [await start(1), await start(2)];
    expect(await failure(a.transport.open(address(b, 2), "/none"))).toBeInstanceOf(PeerUnreachableError);
  });
});

it("over TLS the other node is known by its certificate", async () => {
  const directory = mkdtempSync(join(tmpdir(), "il-tls-"));
  try {
    const file = (name: string) => join(directory, name);
    const make = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=node";
    execFileSync(
      "openssl",
      [
        ...make.split(" "),
        "-addext",
        "subjectAltName=IP:127.0.0.1",
        "-keyout",
        file("key"),
        "-out",
        file("crt"),
      ],
      { stdio: "ignore" },
    );
    const [cert, key] = [readFileSync(file("crt")), readFileSync(file("key"))];
    const secure = { advertise: "https://127.0.0.1:0", tls: { cert, key } };
    const b = await start(2, secure);
    b.routes.onCall("/echo", async (body) => body);
    b.routes.onOpen("/echo", (duplex) => void duplex.pipe(duplex));
    const trusting = await start(1, { ca: cert });
    expect(await trusting.transport.call(address(b, 2), "/echo", "hello")).toBe("hello");
    const stream = await trusting.transport.open(address(b, 2), "/echo");
    stream.end("bytes");
    expect(await text(stream)).toBe("bytes");
    const strange = await start(3);
    expect(await failure(strange.transport.call(address(b, 2), "/echo", "hello"))).toMatchObject({
      name: "PeerUnreachableError",
      mayHaveArrived: false,
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
