import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Daemon, startDaemon } from "interlingua";
import { describeDialectContract } from "interlingua/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import dialect from "./dialect.ts";
import { createView } from "./view.ts";

describe("the view", () => {
  it("keeps what an agent says in one line", () => {
    const event = { session: "s", seq: 7, at: 0, turn: "t1", message: "m", part: "p" } as const;
    expect(createView().add({ ...event, type: "text.delta", delta: "two\nlines" })).toEqual([
      { text: '7 say "two\\nlines"\n' },
    ]);
  });
});

describeDialectContract({
  name: "the contract",
  view: dialect.view,
  // As a client reads them: every line is whole, and the numbers only grow.
  read(frames) {
    const numbers = frames.map(({ text }) => {
      const [, number, json] = /^(\d+) (?:say|tool|ask|end) (.*)\n$/.exec(text) ?? [];
      expect(() => JSON.parse(json ?? "")).not.toThrow();
      return Number(number);
    });
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  },
});

describe("in a daemon", () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "lines-")));
  let daemon: Daemon;

  beforeAll(async () => {
    // `data: ":memory:"` keeps nothing. In the config file it is { "dialects": { "lines": "./dialect.ts" } }.
    const module = join(import.meta.dirname, "dialect.ts");
    daemon = await startDaemon({
      data: ":memory:",
      port: 0,
      roots: [directory],
      dialectModules: { lines: { module } },
    });
    writeFileSync(join(directory, "note.txt"), "");
    await call("POST", "/v1/sessions", { id: "talk", agent: "mock", cwd: directory, options: { pace: 0 } });
  });
  afterAll(async () => {
    await daemon.close();
    rmSync(directory, { recursive: true });
  });

  const call = (method: string, path: string, body?: object, token = daemon.token) =>
    fetch(`${daemon.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });

  /** The lines up to one of this word. */
  async function linesUntil(word: string, after = 0): Promise<string[]> {
    const { body } = await fetch(`${daemon.url}/lines/talk?after=${after}`, {
      headers: { authorization: `Bearer ${daemon.token}` },
    });
    let text = "";
    const decoder = new TextDecoder();
    for await (const bytes of body!) {
      text += decoder.decode(bytes, { stream: true });
      const lines = text.split("\n").slice(0, -1);
      const end = lines.findIndex((line) => line.split(" ")[1] === word);
      // Leaving the loop ends the request.
      if (end >= 0) return lines.slice(0, end + 1);
    }
    throw new Error(`it ended without "${word}": ${text}`);
  }

  it("sends a prompt, answers the permission and follows to the end", async () => {
    const sent = await call("POST", "/lines/talk", { text: "scenario:approve" });
    expect(sent.status).toBe(202);
    const { after } = (await sent.json()) as { after: number };
    const asked = await linesUntil("ask", after);
    const { ask, options } = JSON.parse(asked.at(-1)!.split(" ").slice(2).join(" "));
    expect(options).toContain("allow");
    expect((await call("POST", `/lines/talk/asks/${ask}`, { option: "allow" })).status).toBe(204);
    const all = await linesUntil("end", after);
    expect(all.slice(0, asked.length)).toEqual(asked);
    expect(all.at(-1)).toMatch(/^\d+ end "completed"$/);
    // A client that was cut off names the last line that it has.
    const seq = Number(asked.at(-1)!.split(" ")[0]);
    expect(await linesUntil("end", seq)).toEqual(all.slice(asked.length));
  });

  it("refuses in its own words", async () => {
    const wordsOf = async (response: Response) => [response.status, await response.text()];
    expect(await wordsOf(await call("GET", "/lines/none"))).toEqual([
      404,
      '! {"code":"session_not_found","detail":"There is no session \\"none\\"."}\n',
    ]);
    const [status, text] = await wordsOf(await call("POST", "/lines/talk", { words: "hello" }));
    expect([status, text]).toEqual([400, expect.stringContaining("text: ")]);
    expect((await wordsOf(await call("GET", "/lines/talk", undefined, "wrong")))[0]).toBe(401);
  });

  it("lets an observer read and not write", async () => {
    const made = await call("POST", "/v1/tokens", { name: "guest", role: "observer" });
    const { token } = (await made.json()) as { token: string };
    expect((await call("POST", "/lines/talk", { text: "hello" }, token)).status).toBe(403);
    const { status, body } = await call("GET", "/lines/talk", undefined, token);
    expect(status).toBe(200);
    await body!.cancel();
  });
});
