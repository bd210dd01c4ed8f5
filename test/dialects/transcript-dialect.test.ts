import { connect } from "node:net";
import { expect, it } from "vitest";
import { startDaemon } from "../../src/daemon.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonClient } from "../daemon-client.ts";
import { transcript } from "./transcript-dialect.ts";

it("a dialect is one folder and one line: its routes are mounted, documented, guarded and live", async () => {
  const daemon = await startDaemon({ data: ":memory:", port: 0, dialects: [transcript] });
  try {
    const client = new DaemonClient(daemon);
    await client.call("POST", "/v1/sessions", { id: "a", agent: "mock", options: { pace: 0 } });
    await client.prompt("a", "scenario:text");
    const live = await (await client.request("GET", "/transcript/a")).text();
    expect(live).toBe("Hello from the mock agent. This is a short, plain answer.");
    expect(await (await client.request("GET", "/transcript/a")).text()).toBe(live);
    // By a key of its own, stored with the event that it names.
    expect(await (await client.request("GET", "/transcript/scenario-text")).text()).toBe(live);
    const { paths } = await client.call<{ paths: object }>("GET", "/v1/openapi.json");
    expect(paths).toHaveProperty(["/transcript/{id}"]);
    expect((await fetch(`${daemon.url}/transcript/a`)).status).toBe(401);
    expect((await client.request("POST", "/transcript/a")).status).toBe(405);
  } finally {
    await daemon.close();
  }
});

it("a stream without comments ends once, and the connection goes on", async () => {
  const daemon = await startDaemon({ data: ":memory:", port: 0, dialects: [transcript] });
  const { port } = new URL(daemon.url);
  const socket = connect(Number(port), "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  const ask = (path: string) =>
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${daemon.token}\r\n\r\n`,
    );
  try {
    const client = new DaemonClient(daemon);
    await client.call("POST", "/v1/sessions", { id: "a", agent: "mock", options: { pace: 0 } });
    await client.prompt("a", "scenario:hang");
    ask("/transcript/a");
    await until(() => received.includes("think"));
    await client.request("DELETE", "/v1/sessions/a");
    await until(() => received.endsWith("0\r\n\r\n"));
    ask("/v1/health");
    await until(() => received.includes('"status"'));
    expect(received).not.toContain("0\r\n\r\n0\r\n\r\n");
  } finally {
    socket.destroy();
    await daemon.close();
  }
});
