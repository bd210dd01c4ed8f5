/** Whom a node calls, and what it takes from answers that are none and from calls that have to wait. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { NodeAddress } from "../../core/ownership.ts";
import { assertCallable } from "./assert-callable.ts";
import { HttpPeerTransport } from "./http-peer-transport.ts";
import { PeerUnreachableError } from "./peer-transport.ts";
import { signAddress, signatureKey } from "./request-signature.ts";
import { type Peers, startPeers } from "./start-peers.ts";

const SECRET = "only-for-tests-".repeat(3);
const DATABASE = "00000000-0000-4000-8000-000000000001";
const key = signatureKey(SECRET);
const opened: Peers[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((peers) => peers.close()));
});

async function start(number: number): Promise<Peers> {
  const peers = await startPeers({
    advertise: "http://127.0.0.1:0",
    host: "127.0.0.1",
    port: 0,
    secret: SECRET,
    logger: { warn() {}, error() {} },
  });
  peers.identify({ node: () => number, database: () => DATABASE, isLiving: async () => true });
  opened.push(peers);
  return peers;
}

/** As its row has it. */
function signed(node: { id: number; name: string; url: string }): NodeAddress {
  const daemon = `daemon-${node.id}`;
  return { ...node, daemon, proof: signAddress(key, { daemon, url: node.url }) };
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => expect.fail(`it resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

it("what stands between two nodes and answers in place of one may have passed the call on", async () => {
  const a = await start(1);
  const statuses = [502, 503, 504, 401];
  const between = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(statuses.shift()!).end("a page"));
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  try {
    const node = signed({
      id: 2,
      name: "b",
      url: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
    });
    for (const mayHaveArrived of [true, true, true, false])
      expect(await failure(a.transport.call(node, "/echo", {}))).toMatchObject({
        name: "PeerUnreachableError",
        mayHaveArrived,
      });
  } finally {
    between.close();
  }
});

describe("a node is not called", () => {
  it("where no node with the secret has said that it is", async () => {
    const [a, b] = [await start(1), await start(2)];
    let calls = 0;
    b.routes.onCall("/count", async () => {
      calls += 1;
    });
    const right = signed({ id: 2, name: "b", url: b.url });
    const other = await start(3);
    const another = signatureKey("another-secret-".repeat(3));
    for (const node of [
      { ...right, proof: undefined },
      { ...right, proof: "" },
      { ...right, daemon: "another" },
      { ...right, url: other.url },
      { ...right, proof: signAddress(another, { daemon: right.daemon!, url: b.url }) },
    ]) {
      const error = await failure(a.transport.call(node, "/count", "a prompt"));
      expect(error).toMatchObject({ name: "PeerUnreachableError", mayHaveArrived: false });
      expect((error as Error).message).toContain("was not written by a node with our secret");
      expect(await failure(a.transport.open(node, "/count"))).toBeInstanceOf(PeerUnreachableError);
    }
    expect(calls).toBe(0);
    expect(b.proveAddress("daemon-2")).toBe(right.proof);
    await a.transport.call(right, "/count", "a prompt");
    expect(calls).toBe(1);
  });

  it("in the clear off the loopback, unless that is allowed", async () => {
    const node = signed({ id: 2, name: "b", url: "http://192.0.2.1:1" });
    const caller = new HttpPeerTransport({ key, node: () => 1, database: () => DATABASE });
    const error = await failure(caller.call(node, "/echo", "a prompt"));
    expect((error as Error).message).toContain("--cluster-insecure");
    expect(() => assertCallable(node, { key, isInsecure: true })).not.toThrow();
    for (const url of ["https://192.0.2.1", "http://localhost:1", "http://[::1]:1", "http://127.0.0.9:1"])
      expect(() => assertCallable(signed({ ...node, url }), { key })).not.toThrow();
    for (const url of ["http://127.0.0.1.example.com", "http://box.internal:80", "http://[::2]:1"])
      expect(() => assertCallable(signed({ ...node, url }), { key })).toThrow("has no TLS");
  });
});

describe("calls that wait for a connection", () => {
  const options = { key, node: () => 1, database: () => DATABASE, maxConnections: 1, connectTimeoutMs: 60 };
  let transport: HttpPeerTransport;
  let node: NodeAddress;
  let release: () => void;

  beforeEach(async () => {
    const b = await start(2);
    const slow = Promise.withResolvers<void>();
    release = slow.resolve;
    b.routes.onCall("/slow", () => slow.promise);
    b.routes.onCall("/echo", async (body) => body);
    transport = new HttpPeerTransport(options);
    node = signed({ id: 2, name: "b", url: b.url });
  });

  afterEach(() => {
    release();
    transport.close();
  });

  it("are not taken for calls of a node that cannot be reached", async () => {
    const first = transport.call(node, "/slow", {});
    const second = transport.call(node, "/echo", "hello");
    await sleep(3 * options.connectTimeoutMs);
    release();
    await first;
    expect(await second).toBe("hello");
  });

  it("end when their own time is over, and have not arrived", async () => {
    const first = transport.call(node, "/slow", {});
    expect(await failure(transport.call(node, "/echo", {}, { timeoutMs: 30 }))).toMatchObject({
      name: "PeerUnreachableError",
      mayHaveArrived: false,
    });
    release();
    await first;
  });

  it("do not wait for those that may take long", async () => {
    const long = transport.call(node, "/slow", {}, { timeoutMs: 15 * 60_000 });
    expect(await transport.call(node, "/echo", "hello")).toBe("hello");
    release();
    await long;
  });
});
