import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type PlayerExit, playRecording } from "./play-recording.ts";
import type { PlayerOptions } from "./player-options.ts";
import { readRecording } from "./read-recording.ts";

const FIXTURES = resolve(import.meta.dirname, "../../../test/fixtures/language");
const PIPED = globSync("{acp,claude,codex}/*.recording.jsonl", { cwd: FIXTURES }).sort();

interface Played {
  readonly said: string;
  readonly stderr: string[];
  readonly exit: PlayerExit;
}

async function play(recording: string, sent: string[], options?: PlayerOptions): Promise<Played> {
  let said = "";
  const stderr: string[] = [];
  async function* input() {
    yield* sent;
  }
  const stage = {
    input: input(),
    output: async (text: string) => {
      said += text;
    },
    stderr: (text: string) => void stderr.push(text),
  };
  const exit = await playRecording(recording, stage, options);
  return { said, stderr, exit };
}

function recording(...lines: object[]): string {
  return lines.map((line, t) => JSON.stringify({ t, ...line })).join("\n");
}

const client = (msg: object) => ({ dir: "client", msg });
const agent = (msg: object) => ({ dir: "agent", msg });
const meta = (kind: string, msg: unknown) => ({ dir: "meta", kind, msg });

it("there are recordings to play", () => {
  expect(PIPED).not.toEqual([]);
});

describe.each(PIPED)("%s", (file) => {
  it("says to its own client what it said then", async () => {
    const text = readFileSync(join(FIXTURES, file), "utf8");
    for (const process of [1, 2]) {
      const lines = readRecording(text, process).map(({ record }) => record);
      const of = (direction: string) =>
        lines.filter((record) => record.direction === direction).map(({ data }) => data as string);
      const { said, stderr } = await play(text, of("out"), { process });
      expect(said).toBe(
        of("in")
          .map((line) => `${line}\n`)
          .join(""),
      );
      expect(stderr.join()).not.toContain("awaits");
    }
  });
});

describe("the ids a client chooses", () => {
  it("are put into answers: numbers of requests only there, strings wherever a key says it is an id", async () => {
    const text = recording(
      client({ id: 1, method: "open", params: { requestId: "old", note: "old" } }),
      agent({ id: 1, result: { id: 1, requestIds: ["old", "other"], note: "old" } }),
      agent({ id: 1, method: "ask" }),
    );
    const { said } = await play(text, [
      '{"id":"seven","method":"open","params":{"requestId":"new","note":"new"}}',
    ]);
    expect(
      said
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { id: "seven", result: { id: 1, requestIds: ["new", "other"], note: "old" } },
      { id: 1, method: "ask" },
    ]);
  });

  it("are those of control requests and of user messages too", async () => {
    const text = recording(
      client({ type: "control_request", request_id: "r1", request: { subtype: "initialize" } }),
      agent({ type: "control_response", response: { subtype: "success", request_id: "r1" } }),
      client({ type: "user", uuid: "u1", message: { content: "hello" } }),
      agent({ type: "result", user_message_uuid: "u1", uuid: "x" }),
    );
    const { said } = await play(text, [
      '{"type":"control_request","request_id":"A","request":{"subtype":"initialize"}}',
      '{"type":"user","uuid":"B","message":{"content":"good day"}}',
    ]);
    expect(said).toContain('"request_id":"A"');
    expect(said).toContain('"user_message_uuid":"B","uuid":"x"');
  });

  it("may stand under keys that only the test knows", async () => {
    const text = recording(client({ method: "prompt", params: { prompt: "p1" } }), agent({ prompt: "p1" }));
    const sent = ['{"method":"prompt","params":{"prompt":"mine"}}'];
    expect((await play(text, sent)).said).toBe('{"prompt":"p1"}\n');
    expect((await play(text, sent, { ids: ["prompt"] })).said).toBe('{"prompt":"mine"}\n');
  });
});

describe("what the client says", () => {
  const two = recording(
    client({ method: "first" }),
    agent({ said: 1 }),
    client({ method: "second" }),
    agent({ said: 2 }),
  );

  it("may come early and with more between", async () => {
    const sent = ['{"method":"second"}', "nonsense", '{"method":"first"}'];
    expect((await play(two, sent)).said).toBe('{"said":1}\n{"said":2}\n');
  });

  it("is answered at the recorded pace too", async () => {
    const sent = ['{"method":"first"}', '{"method":"second"}'];
    expect((await play(two, sent, { pace: 1 })).said).toBe('{"said":1}\n{"said":2}\n');
  });

  it("is named where it is missing", async () => {
    const { said, stderr, exit } = await play(two, ['{"method":"first"}', '{"method":"third"}']);
    expect(said).toBe('{"said":1}\n');
    expect(stderr).toEqual([
      'Line 3 of the recording awaits "second", and the input has ended. It sent instead: third.',
    ]);
    expect(exit).toEqual({ code: 0 });
  });

  it("is not awaited where that is wished", async () => {
    expect((await play(two, ['{"method":"first"}'], { skip: ["second"] })).said).toContain('"said":2');
  });

  it("answers asks in any order", async () => {
    const text = recording(
      agent({ id: 5, method: "ask" }),
      agent({ id: 6, method: "ask" }),
      client({ id: 5, result: "no" }),
      agent({ heard: 5 }),
      client({ id: 6, result: "no" }),
      agent({ heard: 6 }),
    );
    const { said } = await play(text, ['{"id":6,"result":"yes"}', '{"id":5,"result":"yes"}']);
    expect(said.endsWith('{"heard":5}\n{"heard":6}\n')).toBe(true);
  });
});

describe("the end", () => {
  const dying = recording(
    meta("proc", { event: "spawn" }),
    agent({ said: "first" }),
    meta("stderr", "no more"),
    meta("proc", { event: "exit", code: 3, signal: null }),
  );

  it("is the recorded one, with the last words", async () => {
    expect(await play(dying, [])).toEqual({
      said: '{"said":"first"}\n',
      stderr: ["no more"],
      exit: { code: 3 },
    });
    const killed = recording(meta("proc", { event: "exit", code: null, signal: "SIGKILL" }));
    expect((await play(killed, [])).exit).toEqual({ signal: "SIGKILL" });
  });

  it("can be made earlier, in the middle of a line and by a signal", async () => {
    expect(await play(dying, [], { cutAfter: 1, halfLine: true })).toMatchObject({
      said: '{"said":',
      exit: { code: 1 },
    });
    expect(await play(dying, [], { cutAfter: 2, signal: "SIGTERM" })).toMatchObject({
      said: '{"said":"first"}\n',
      exit: { signal: "SIGTERM" },
    });
  });

  it("is that of the process which is played", async () => {
    const twice = `${dying}\n${recording(meta("proc", { event: "spawn" }), agent({ said: "again" }))}`;
    expect(await play(twice, [], { process: 2 })).toMatchObject({
      said: '{"said":"again"}\n',
      exit: { code: 0 },
    });
  });
});

it("refuses a recording that did not go over pipes", async () => {
  const http = recording({ dir: "client", kind: "http", msg: { method: "GET" } });
  await expect(play(http, [])).rejects.toThrow("Line 1 went over http");
});
