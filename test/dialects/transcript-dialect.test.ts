import { expect, it } from "vitest";
import { startDaemon } from "../../src/daemon.ts";
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
