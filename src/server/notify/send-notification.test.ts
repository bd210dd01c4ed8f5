import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { until } from "../../testkit/until.ts";
import type { Notification } from "./notification.ts";
import { isSigned, Receiver } from "./receiver.test-support.ts";
import { sendNotification } from "./send-notification.ts";

const SECRET = "a secret of more than sixteen characters";
const ASK: Notification = {
  ...{ event: "ask", at: 1, session: "demo", agent: "claude", agentTitle: "Claude Code" },
  title: "Müll & <b>",
  ask: { id: "a1", kind: "permission", title: "Run npm test" },
};

describe("what is sent", () => {
  test("ids and titles, signed with the time it was sent", async () => {
    await using receiver = await Receiver.start();
    const target = receiver.target({ secret: SECRET, headers: { authorization: "Bearer key" } });
    expect(await sendNotification(target, ASK)).toEqual({ state: "delivered", status: 204 });
    const [got] = receiver.received;
    expect(JSON.parse(got!.body)).toEqual(ASK);
    expect(got!.headers).toMatchObject({
      authorization: "Bearer key",
      "content-type": "application/json",
      "x-interlingua-delivery": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(isSigned(got!, SECRET)).toBe(true);
    expect(isSigned(got!, `${SECRET}!`)).toBe(false);
    expect(isSigned({ ...got!, body: got!.body.replace("demo", "deme") }, SECRET)).toBe(false);
  });

  test("without a secret there is no signature", async () => {
    await using receiver = await Receiver.start();
    await sendNotification(receiver.target(), ASK);
    expect(receiver.received[0]!.headers["x-interlingua-signature"]).toBeUndefined();
  });

  test("ntfy gets JSON at its root, with the topic, in every script", async () => {
    await using receiver = await Receiver.start();
    const url = new URL(`${receiver.url}/base/my-topic`);
    await sendNotification(receiver.target({ url, format: "ntfy", page: "https://box.example.com" }), ASK);
    expect(receiver.received[0]!.path).toBe("/base/");
    expect(receiver.contents()).toEqual([
      {
        topic: "my-topic",
        title: "Müll & <b>",
        message: "Claude Code asks for permission: Run npm test",
        tags: ["raised_hand"],
        priority: 4,
        click: "https://box.example.com/#/sessions/demo",
      },
    ]);
  });

  test("Slack gets text in which a title links nothing and mentions nobody", async () => {
    await using receiver = await Receiver.start();
    const title = "<!channel> <https://evil.example|here> *bold*";
    await sendNotification(receiver.target({ format: "slack" }), { ...ASK, title });
    const { text } = receiver.contents()[0] as { text: string };
    expect(text).not.toMatch(/[<>]/);
    expect(text).toContain("&lt;!channel&gt;");
    await fc.assert(
      fc.asyncProperty(fc.string(), async (any) => {
        receiver.received.length = 0;
        await sendNotification(receiver.target({ format: "slack" }), { ...ASK, title: any });
        expect((receiver.contents()[0] as { text: string }).text).not.toMatch(/[<>]/);
      }),
      { numRuns: 30 },
    );
  });
});

describe("receivers that fail", () => {
  test("a redirect is not followed", async () => {
    await using elsewhere = await Receiver.start();
    await using receiver = await Receiver.start();
    for (const status of [301, 302, 307, 308]) {
      receiver.answer = (response) => response.writeHead(status, { location: elsewhere.url }).end();
      expect(await sendNotification(receiver.target({ secret: SECRET }), ASK)).toMatchObject({
        ...{ state: "failed", isFinal: true, reason: expect.stringContaining(`${status}, a redirect`) },
      });
    }
    expect(elsewhere.received).toEqual([]);
  });

  test("a refusal is final, and what may pass is not", async () => {
    await using receiver = await Receiver.start();
    for (const [status, isFinal] of [
      [400, true],
      [404, true],
      [408, false],
      [429, false],
      [500, false],
      [503, false],
    ] as const) {
      receiver.answer = (response) => response.writeHead(status).end("no");
      const reason = `answered ${status}`;
      expect(await sendNotification(receiver.target(), ASK)).toEqual({ state: "failed", isFinal, reason });
    }
  });

  test("one that never answers is given up", async () => {
    await using receiver = await Receiver.start();
    receiver.answer = () => {};
    expect(await sendNotification(receiver.target(), ASK, { timeoutMs: 50 })).toEqual({
      ...{ state: "failed", isFinal: false, reason: "no answer within 0.05 s" },
    });
  });

  test("one that answers without an end costs no memory", async () => {
    await using receiver = await Receiver.start();
    let isClosed = false;
    receiver.answer = (response) => {
      response.on("close", () => {
        isClosed = true;
      });
      response.writeHead(200);
      const write = () => {
        while (!isClosed && response.write("x".repeat(65_536)));
      };
      response.on("drain", write);
      write();
    };
    expect(await sendNotification(receiver.target(), ASK)).toMatchObject({ state: "delivered" });
    await until(() => isClosed);
  });

  test("nobody there, or one who hangs up, is told without the address", async () => {
    await using receiver = await Receiver.start();
    receiver.answer = (response) => response.destroy();
    const target = receiver.target({ url: new URL(`${receiver.url}/hooks/T0/PASSWORD`) });
    const hungUp = await sendNotification(target, ASK);
    await receiver[Symbol.asyncDispose]();
    const gone = await sendNotification(target, ASK);
    for (const outcome of [hungUp, gone]) {
      expect(outcome).toMatchObject({ state: "failed", isFinal: false });
      expect(JSON.stringify(outcome)).not.toMatch(/PASSWORD|127\.0\.0\.1/);
    }
    expect(gone).toMatchObject({ reason: "could not be reached (ECONNREFUSED)" });
  });
});
