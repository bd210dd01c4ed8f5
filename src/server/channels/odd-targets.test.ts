/** Requests with unusual targets, sent byte for byte: clients would resolve or refuse them before they leave. */
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TOKEN } from "../http-client-test-support.ts";
import { type SyntheticServer, startSyntheticServer } from "../synthetic-server-test-support.ts";
import { createEchoDialect } from "./echo-dialect-test-support.ts";

let server: SyntheticServer;

beforeEach(async () => {
  server = await startSyntheticServer({}, { dialects: [createEchoDialect()] });
});

afterEach(() => server.close());

const UPGRADE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
];

interface RawAnswer {
  status: number;
  isProblem: boolean;
  text: string;
}

/** The connection may stay open after the answer. */
function isComplete(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  if (text.startsWith("HTTP/1.1 101")) return true;
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  return length === undefined ? text.endsWith("0\r\n\r\n") : text.length >= end + 4 + Number(length);
}

function send(target: string, headers: readonly string[]): Promise<RawAnswer> {
  const { port } = new URL(server.url);
  const lines = [`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${TOKEN}`];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1");
    let text = "";
    socket.setEncoding("latin1").on("data", (more: string) => {
      text += more;
      if (isComplete(text)) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
      resolve({ status, isProblem: /content-type: application\/problem\+json/i.test(text), text });
    });
    socket.write(Buffer.from(`${[...lines, ...headers].join("\r\n")}\r\n\r\n`, "latin1"));
  });
}

describe("an upgrade request", () => {
  it.each([
    "/x/../echo/a",
    "/./echo/a",
    "/x/%2e%2e/echo/a",
    "/%65cho/a",
    "http://127.0.0.1/echo/a",
    "/echo/a/log/..%2f../a/../../a",
  ])("for %s is answered with a problem, not with 499", async (target) => {
    const { status, isProblem } = await send(target, UPGRADE);
    expect([400, 404]).toContain(status);
    expect(isProblem).toBe(true);
  });

  it("says which form of the address opens a socket", async () => {
    const { status, text } = await send("/x/../echo/a", UPGRADE);
    expect(status).toBe(400);
    expect(text).toContain("must be sent in its plain form. Send only the path");
    expect((await send("/echo/a", UPGRADE)).status).toBe(101);
  });

  it("without Connection: Upgrade is told what is missing", async () => {
    const { status, isProblem, text } = await send("/echo/a", ["Connection: close", ...UPGRADE.slice(1)]);
    expect([status, isProblem]).toEqual([426, true]);
    expect(text).toContain("Connection: Upgrade");
  });
});

const BASES = ["/echo/a", "/echo/a/log", "/v1/sessions", "/v1/sessions/x/messages", "/docs", "/"];

const ODD_TARGETS = [
  ...BASES.flatMap((path) => [
    `${path}/..`,
    `${path}/../..`,
    `${path}/../../../../..`,
    `/x/..${path}`,
    `${path}/%2e%2e/%2E%2e`,
    `${path}%00`,
    `${path}/%`,
    `${path}/%zz`,
    `${path}/%ff%fe`,
    `${path}/%c0%ae%c0%ae`,
    `${path}\xe9`,
    `${path}\\..\\..`,
    `${path};a=b`,
    `${path}#fragment`,
    `${path}??`,
    `/${path}`,
    `//127.0.0.1${path}`,
    `http://127.0.0.1${path}`,
    `http://user:password@127.0.0.1${path}`,
    `https://evil.example${path}`,
    `file://${path}`,
    path.slice(1),
    `${path}/${"a".repeat(9000)}`,
    `${path}?${"a".repeat(9000)}`,
  ]),
  ...["*", "//", "///", "?", "#", "http://", "http:///", "http://[::1/", "127.0.0.1:80", "/\t", "/\0"],
];

it("an odd target is never answered with 499 or 5xx, and every refusal is a problem", async () => {
  for (const target of ODD_TARGETS) {
    for (const headers of [UPGRADE, ["Connection: close"]]) {
      const { status, isProblem } = await send(target, headers);
      const isAnswered = status < 400 || (status < 499 && isProblem);
      expect({ target, status, isAnswered }).toMatchObject({ isAnswered: true });
    }
  }
});
