import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../until.ts";
import { ask, framesOf, stream, textOf, whole } from "./anthropic-client.test-support.ts";
import { disconnect, hang, httpError, streamError, text } from "./script.ts";
import { type ScriptedModel, startScriptedModel } from "./start-scripted-model.ts";

let model: ScriptedModel;

beforeEach(async () => {
  model = await startScriptedModel({
    scripts: {
      busy: [httpError(429, { retryAfter: 3, times: 2 }), text("Third time lucky.")],
      overloaded: [text("Half"), streamError({ times: 1 }), text(" and whole")],
      lost: [text("Half"), disconnect()],
      unheard: [disconnect()],
      silent: [text("Hm"), hang(), text("!")],
      late: [text("said"), httpError(500)],
    },
  });
});

afterEach(() => model.close());

describe("a fault", () => {
  it("is an HTTP error so many times, then all is well", async () => {
    for (const _ of [1, 2]) {
      const refused = await ask(model, "[[busy]]");
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
      expect(await refused.json()).toMatchObject({ type: "error", error: { type: "rate_limit_error" } });
    }
    expect(textOf(await stream(model, "[[busy]]"))).toBe("Third time lucky.");
    expect(model.requests.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "answered"]);
  });

  it("is an error event in the middle of a block", async () => {
    const frames = await stream(model, "[[overloaded]]");
    expect(frames.slice(1).map(({ type }) => type)).toEqual([
      "content_block_start",
      "content_block_delta",
      "error",
    ]);
    expect(frames.at(-1)?.error?.type).toBe("overloaded_error");
    expect(textOf(await stream(model, "[[overloaded]]"))).toBe("Half and whole");
  });

  it("is an HTTP error in place of an error event for clients that do not stream", async () => {
    expect((await ask(model, "[[overloaded]]", { stream: false })).status).toBe(529);
    expect(await whole(model, "[[overloaded]]")).toMatchObject({
      content: [{ type: "text", text: "Half and whole" }],
    });
  });

  it("is a lost connection, after what was said has arrived", async () => {
    const { body } = await ask(model, "[[lost]]");
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of body!.pipeThrough(new TextDecoderStream())) seen.push(chunk);
    })();
    await expect(reading).rejects.toThrow();
    expect(textOf(framesOf(seen.join("")))).toBe("Half");
    await expect(ask(model, "[[unheard]]")).rejects.toThrow();
    await expect(ask(model, "[[lost]]", { stream: false })).rejects.toThrow();
  });

  it("is a mistake in the script", async () => {
    await expect(ask(model, "[[late]]").then((response) => response.text())).rejects.toThrow();
    expect(model.requests[0]?.outcome).toBe("failed");
  });
});

describe("a silence", () => {
  it("lasts until it is released, for good", async () => {
    const asked = ask(model, "[[silent]]").then((response) => response.text());
    expect((await model.request(0)).outcome).toBe("open");
    model.release();
    expect(textOf(framesOf(await asked))).toBe("Hm!");
    expect(await whole(model, "[[silent]]")).toMatchObject({ content: [{ text: "Hm!" }] });
  });

  it("ends when the client leaves, and the journal says so", async () => {
    const controller = new AbortController();
    await ask(model, "[[silent]]", { signal: controller.signal });
    const entry = await model.request(0);
    controller.abort();
    await until(() => entry.outcome === "aborted");
  });

  it("does not keep the server from closing", async () => {
    const asked = ask(model, "[[silent]]").then((response) => response.text());
    asked.catch(() => {});
    const entry = await model.request(0);
    await model.close();
    await expect(asked).rejects.toThrow();
    await until(() => entry.outcome === "aborted");
    await model.close();
  });
});
