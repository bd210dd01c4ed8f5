import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { AdapterMemory, MemoryMarks, MemoryUpdate } from "../../core/adapter-memory.ts";
import { memoryOfFiles } from "./memory-files.ts";

const CONVERSATION = { sessionId: "s", cwd: "/", agentSessionId: "c1" };

const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "il-files-"));
  directories.push(directory);
  return directory;
}

function memoryIn(root: string, unload?: () => Promise<void>): AdapterMemory {
  return memoryOfFiles({
    root: () => root,
    patterns: ({ agentSessionId: id }) => [
      { pattern: `talks/*/${id}.jsonl` },
      { pattern: `talks/*/${id}/*.jsonl`, many: true },
      { pattern: `state-${id}.json` },
    ],
    unload,
  });
}

function write(root: string, path: string, content: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** Captures, and gives the marks for the next time. */
async function capture(memory: AdapterMemory, marks: MemoryMarks = new Map()) {
  const updates = await memory.capture(CONVERSATION, marks);
  const said = updates.map(({ part, data, replaces }) => [
    part,
    Buffer.from(data).toString(),
    replaces === true,
  ]);
  return { said, updates, marks: withMarks(marks, updates) };
}

function withMarks(marks: MemoryMarks, updates: readonly MemoryUpdate[]): MemoryMarks {
  return new Map([...marks, ...updates.map(({ part, mark }) => [part, mark] as const)]);
}

describe("capturing", () => {
  it("reads lines from where it was, and only whole ones", async () => {
    const root = temporary();
    const memory = memoryIn(root);
    expect((await capture(memory)).said).toEqual([]);
    write(root, "talks/a/c1.jsonl", '{"n":1}\n{"n":');
    const first = await capture(memory);
    expect(first.said).toEqual([["talks/a/c1.jsonl", '{"n":1}\n', true]]);
    expect((await capture(memory, first.marks)).said).toEqual([]);
    write(root, "talks/a/c1.jsonl", '{"n":1}\n{"n":2}\n{"n":"ä"}\n');
    const second = await capture(memory, first.marks);
    expect(second.said).toEqual([["talks/a/c1.jsonl", '{"n":2}\n{"n":"ä"}\n', false]]);
    write(root, "talks/a/c1.jsonl", '{"n":1}\n{"n":2}\n{"n":"ä"}\n{"n":4}\n');
    expect((await capture(memory, second.marks)).said).toEqual([["talks/a/c1.jsonl", '{"n":4}\n', false]]);
  });

  it("reads a file anew that was written anew", async () => {
    const root = temporary();
    const memory = memoryIn(root);
    write(root, "talks/a/c1.jsonl", '{"n":1}\n{"n":2}\n');
    write(root, "state-c1.json", "{}");
    const { marks } = await capture(memory);
    write(root, "talks/a/c1.jsonl", '{"n":1}\n{"m":2}\n{"m":3}\n');
    write(root, "state-c1.json", '{"n":2}');
    const { said, marks: next } = await capture(memory, marks);
    expect(said).toEqual([
      ["talks/a/c1.jsonl", '{"n":1}\n{"m":2}\n{"m":3}\n', true],
      ["state-c1.json", '{"n":2}', true],
    ]);
    write(root, "talks/a/c1.jsonl", '{"n":1}\n');
    expect((await capture(memory, next)).said).toEqual([["talks/a/c1.jsonl", '{"n":1}\n', true]]);
  });

  it("finds files that come later, and none that belong to others or are links", async () => {
    const root = temporary();
    const memory = memoryIn(root);
    write(root, "talks/a/c1.jsonl", '{"n":1}\n');
    const { marks } = await capture(memory);
    write(root, "secret.json", "token");
    write(root, "talks/a/c1/helper.jsonl", '{"n":2}\n');
    write(root, "talks/a/c2.jsonl", '{"n":3}\n');
    symlinkSync(join(root, "secret.json"), join(root, "state-c1.json"));
    symlinkSync(join(root, "secret.json"), join(root, "talks/a/c1/link.jsonl"));
    expect((await capture(memory, marks)).said).toEqual([["talks/a/c1/helper.jsonl", '{"n":2}\n', true]]);
  });
});

describe("restoring", () => {
  const parts = new Map([
    ["talks/a/c1.jsonl", Buffer.from('{"n":1}\n{"n":2}\n')],
    ["state-c1.json", Buffer.from('{"s":1}')],
  ]);

  it("writes what is not there, for the owner alone, and captures on from it", async () => {
    const root = temporary();
    const memory = memoryIn(root);
    const calls: string[] = [];
    const marks = await memory.restore(CONVERSATION, parts, async () => void calls.push("write"));
    expect(calls).toEqual(["write"]);
    expect(readFileSync(join(root, "talks/a/c1.jsonl"), "utf8")).toBe('{"n":1}\n{"n":2}\n');
    expect(statSync(join(root, "talks/a/c1.jsonl")).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, "talks/a")).mode & 0o777).toBe(0o700);
    expect((await capture(memory, marks)).said).toEqual([]);
    write(root, "talks/a/c1.jsonl", '{"n":1}\n{"n":2}\n{"n":3}\n');
    expect((await capture(memory, marks)).said).toEqual([["talks/a/c1.jsonl", '{"n":3}\n', false]]);
  });

  it("leaves what goes on from it, and replaces what does not", async () => {
    const root = temporary();
    const memory = memoryIn(root);
    const calls: string[] = [];
    const beforeWrite = async () => void calls.push("write");
    const ahead = '{"n":1}\n{"n":2}\n{"n":"cut off"}\n';
    write(root, "talks/a/c1.jsonl", ahead);
    write(root, "state-c1.json", '{"s":1}');
    const marks = await memory.restore(CONVERSATION, parts, beforeWrite);
    expect(calls).toEqual([]);
    expect(readFileSync(join(root, "talks/a/c1.jsonl"), "utf8")).toBe(ahead);
    expect((await capture(memory, marks)).said).toEqual([["talks/a/c1.jsonl", '{"n":"cut off"}\n', false]]);

    write(root, "talks/a/c1.jsonl", '{"n":1}\n{"n":"another"}\n{"n":3}\n');
    const replacing = memoryIn(root, async () => void calls.push("unload"));
    await replacing.restore(CONVERSATION, parts, beforeWrite);
    expect(calls).toEqual(["write", "unload"]);
    expect(readFileSync(join(root, "talks/a/c1.jsonl"), "utf8")).toBe('{"n":1}\n{"n":2}\n');
  });

  it("leaves what is the same but for secrets, and captures on from where that ends here", async () => {
    const root = temporary();
    const memory = memoryIn(root);
    const asked: string[] = [];
    const refusing = () => Promise.reject(new Error("nothing is written"));
    const here = '{"n":"a longer value"}\n{"n":2}\n';
    write(root, "talks/a/c1.jsonl", `${here}{"n":3}\n`);
    write(root, "state-c1.json", '{"s":1}');
    const marks = await memory.restore(CONVERSATION, parts, refusing, async (part, data) => {
      asked.push(`${part} ${Buffer.from(data)}`);
      return "same";
    });
    expect(asked).toEqual([`talks/a/c1.jsonl ${here}`]);
    expect((await capture(memory, marks)).said).toEqual([["talks/a/c1.jsonl", '{"n":3}\n', false]]);
  });

  it("leaves what is this node's own and goes further, and captures it anew", async () => {
    const root = temporary();
    const memory = memoryIn(root);
    const own = '{"m":1}\n{"m":2}\n{"m":3}\n';
    write(root, "talks/a/c1.jsonl", own);
    write(root, "state-c1.json", '{"s":1}');
    const refusing = () => Promise.reject(new Error("nothing is written"));
    const marks = await memory.restore(CONVERSATION, parts, refusing, async () => "own");
    expect((await capture(memory, marks)).said).toEqual([["talks/a/c1.jsonl", own, true]]);
    write(root, "talks/a/c1.jsonl", '{"m":1}\n');
    await memory.restore(
      CONVERSATION,
      parts,
      async () => {},
      async () => "own",
    );
    expect(readFileSync(join(root, "talks/a/c1.jsonl"), "utf8")).toBe('{"n":1}\n{"n":2}\n');
  });

  it("removes drafts that a process left when it died, and no others", async () => {
    const root = temporary();
    const names = ["8", "9"].map((digit) => `c1.jsonl.${digit.repeat(36)}.new`);
    for (const name of [...names, "c1.jsonl.of-somebody.new"]) write(root, `talks/a/${name}`, "a secret");
    for (const name of [names[0]!, "c1.jsonl.of-somebody.new"])
      utimesSync(join(root, "talks/a", name), new Date(0), new Date(0));
    await memoryIn(root).restore(CONVERSATION, parts, async () => {});
    expect(readdirSync(join(root, "talks/a")).sort()).toEqual([
      "c1.jsonl",
      names[1],
      "c1.jsonl.of-somebody.new",
    ]);
  });

  it("changes nothing when it may not", async () => {
    const root = temporary();
    const refusing = () => Promise.reject(new Error("too old"));
    await expect(memoryIn(root).restore(CONVERSATION, parts, refusing)).rejects.toThrow("too old");
    expect((await capture(memoryIn(root))).said).toEqual([]);
  });

  it("writes no file but those of the conversation, wherever their names lead", async () => {
    const root = temporary();
    const outside = temporary();
    const names = [
      "../x.jsonl",
      "/etc/x",
      "talks/../c1.jsonl",
      "talks/a/b/c1.jsonl",
      "talks/a/c2.jsonl",
      "auth.json",
    ];
    const marks = await memoryIn(root).restore(
      CONVERSATION,
      new Map(names.map((name) => [name, Buffer.from("x\n")])),
      () => Promise.reject(new Error("nothing is written")),
    );
    expect(marks.size).toBe(0);
    // A link in the place of a file is replaced, and what it leads to stays.
    write(outside, "kept.txt", "kept");
    symlinkSync(join(outside, "kept.txt"), join(root, "state-c1.json"));
    await memoryIn(root).restore(CONVERSATION, parts, async () => {});
    expect(readFileSync(join(outside, "kept.txt"), "utf8")).toBe("kept");
    expect(readFileSync(join(root, "state-c1.json"), "utf8")).toBe('{"s":1}');
  });
});

describe("a store that an agent has filled", () => {
  it("with sparse files is not read beyond what is kept", async () => {
    const root = temporary();
    for (let file = 0; file < 4; file += 1) {
      const path = `talks/x/c1/${file}.jsonl`;
      write(root, path, "");
      truncateSync(join(root, path), 40 * 1024 * 1024);
      appendFileSync(join(root, path), "\n");
    }
    await expect(memoryIn(root).capture(CONVERSATION, new Map())).rejects.toThrow("more than is kept");
  });

  it("with pipes, links and folders in the place of files has none of them", async () => {
    const root = temporary();
    write(root, "talks/x/c1/1.jsonl", "a\n");
    execFileSync("mkfifo", [join(root, "talks/x/c1/2.jsonl"), join(root, "state-c1.json")]);
    mkdirSync(join(root, "talks/x/c1.jsonl"));
    symlinkSync("/dev/zero", join(root, "talks/x/c1/3.jsonl"));
    expect((await capture(memoryIn(root))).said).toEqual([["talks/x/c1/1.jsonl", "a\n", true]]);
  });

  it("with a thousand projects has the conversation that lies in the last one", async () => {
    const root = temporary();
    for (let project = 0; project < 1000; project += 1)
      mkdirSync(join(root, `talks/${project}`), { recursive: true });
    write(root, "talks/999/c1.jsonl", "a\n");
    write(root, "talks/0/c1.jsonl", "a\n");
    const { said } = await capture(memoryIn(root));
    expect(said.map(([part]) => part)).toEqual(["talks/0/c1.jsonl", "talks/999/c1.jsonl"]);
  });

  it("with more files than one conversation has gives a bounded number", async () => {
    const root = temporary();
    for (let file = 0; file < 700; file += 1) write(root, `talks/x/c1/${file}.jsonl`, "a\n");
    expect((await capture(memoryIn(root))).said).toHaveLength(500);
  });
});
