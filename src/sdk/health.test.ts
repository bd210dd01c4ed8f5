import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { Client } from "./client.ts";
import { HttpClient } from "./http.ts";

test("a daemon that is failing says so, and is not taken for one that refuses", async () => {
  const failing = { status: "failing", version: "1", problem: "The log cannot be written." };
  const server = createServer((request, response) => {
    const isHealth = request.url === "/v1/health";
    response.writeHead(503, { "content-type": "application/json" });
    response.end(JSON.stringify(isHealth ? failing : { code: "shutting_down", title: "It ends" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new Client(new HttpClient({ baseUrl }));
    expect(await client.health()).toEqual(failing);
    await expect(client.agents.list()).rejects.toMatchObject({ code: "shutting_down" });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
