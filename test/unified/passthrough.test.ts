/** An agent that speaks UnifiedMessage gets what nobody here understands. */
import { expect, it } from "vitest";
import type { MessagePassing } from "../../src/core/adapter.ts";
import { TOKEN } from "../../src/server/http-client-test-support.ts";
import { startRealServer } from "../../src/server/real-server-test-support.ts";
import { ScriptedAdapter } from "../../src/testkit/scripted-adapter.ts";
import { until } from "../../src/testkit/until.ts";
import { createUnifiedMessage } from "../../src/unified/create-unified-message.ts";
import { UnifiedClient } from "./unified-client.ts";

it("an unknown message is kept and passed on, and one the agent cannot take crashes nothing", async () => {
  const adapter = new ScriptedAdapter();
  const server = await startRealServer({}, { scripted: adapter });
  try {
    await server.call("POST", "/v1/sessions", { body: { id: "a", agent: "scripted" } });
    const client = await UnifiedClient.open({ url: server.url, token: TOKEN }, "a");
    await client.prompt("hello");
    await until(() => adapter.last?.commands.length === 1);
    const taken: unknown[] = [];
    const session = adapter.last as typeof adapter.last & Partial<MessagePassing>;
    session.sendUnified = (message) => {
      taken.push(message);
      if (taken.length > 1) throw new Error("cannot take it");
    };
    const unknown = () => createUnifiedMessage({ type: "unknown", role: "user", metadata: { any: "thing" } });
    const first = unknown();
    expect(await client.request(first)).toMatchObject({ response: { kept: true, passed_on: true } });
    expect(taken).toEqual([first]);
    expect(await client.request(unknown())).toMatchObject({ response: { kept: true, passed_on: false } });
    client.close();
  } finally {
    await server.close();
  }
});
