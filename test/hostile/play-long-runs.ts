/**
 * Gives texts that repeat one character to the translators of agents, or to helpers that read texts. Prints what it begins
 * with, so that the last line names what did not end.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assertNotGit } from "../../src/agents/model/program/tools/files/change-file.ts";
import { withoutPasswords } from "../../src/agents/model/program/without-passwords.ts";
import { isStackTrace } from "../../src/agents/opencode/vocabulary.ts";
import { PROTOCOLS } from "../../src/agents/registry.ts";
import { readRecording } from "../../src/agents/replay/recording-reader.ts";
import { replayRecords } from "../../src/agents/replay/replay-records.ts";
import type { AgentProtocol } from "../../src/agents/transport/agent-protocol.ts";
import { promptWithMentions } from "../../src/cli/chat/mentioned-files.ts";
import { sessionAsks } from "../../src/core/asks-permission.ts";
import { plainText } from "../../src/core/plain-text.ts";
import { findCommand } from "../../src/core/prompt-commands.ts";
import { withoutPreface } from "../../src/core/prompt-preface.ts";
import type { RawRecord } from "../../src/core/raw-record.ts";
import { shellCommand } from "../../src/core/shell-command.ts";
import { splitText } from "../../src/core/split-text.ts";
import { suggestWord } from "../../src/core/suggest-word.ts";
import { truncateOutput } from "../../src/core/truncate-output.ts";
import { unifiedDiff } from "../../src/core/unified-diff.ts";
import { agentSmithy } from "../../src/dialects/agentsmithy/dialect.ts";
import { findAnswer } from "../../src/dialects/agentsmithy/inbound.ts";
import { parsePartialJson } from "../../src/dialects/ai-sdk/partial-json.ts";
import { unified } from "../../src/dialects/unified/dialect.ts";
import { SecretMask } from "../../src/engine/secrets/secret-mask.ts";
import { makeSnippet } from "../../src/store/make-snippet.ts";
import { Random } from "../../src/testkit/random.ts";
import { readGitConfig } from "../../src/workspace/git-config-text.ts";

const RECORDINGS = join(import.meta.dirname, "../fixtures/recordings");
const LENGTH = 300_000;
const CHARACTERS = ["\n", " ", "\t", "<", '"', "\\", "a", "(", "-", "/", "."];

/** The agents that have recordings. */
const AGENTS = ["acp", "amp", "claude", "codex", "model", "opencode"];

/** How many recordings of an agent are played with such texts, and in how many of their messages one stands. */
const RUNS = Number(process.env.HOSTILE_RUNS ?? 8);
const CHANGED = 10;

/** Into the translator of an agent, and from there into the views of dialects. */
function playTranslator(protocol: AgentProtocol, random: Random): void {
  const names = globSync(`${protocol.name}/*.jsonl`, { cwd: RECORDINGS }).sort();
  for (let run = 0; run < RUNS; run += 1) {
    const name = random.pick(names);
    const text = readFileSync(join(RECORDINGS, name), "utf8");
    const records = [...readRecording(text, { processPerTurn: protocol.processPerTurn })];
    const character = random.pick(CHARACTERS);
    begin(name, character);
    for (let changed = 0; changed < CHANGED; changed += 1) {
      const at = random.integer(0, records.length - 1);
      records[at] = withRun(records[at]!, character, random);
    }
    const views = [agentSmithy, unified].flatMap(({ view }) => ("create" in view ? [view.create()] : []));
    for (const event of replayRecords(protocol, records, { session: "long-runs" }))
      for (const view of views) [...view.add(event)];
  }
}

/** The message with one of its texts replaced. What tells messages apart stays, or nothing would read the others. */
function withRun(record: RawRecord, character: string, random: Random): RawRecord {
  const message = record.direction === "in" ? parsed(record.data) : undefined;
  const paths = [...pathsOf(message)].filter((path) => !KIND.test(path.at(-1)!));
  if (paths.length === 0) return record;
  const path = random.pick(paths);
  const holder = path.slice(0, -1).reduce((value, name) => value[name] as Message, message as Message);
  // The end of the run is not that of the text: expressions that look for an end try all of it.
  holder[path.at(-1)!] = `${character.repeat(LENGTH)}x`;
  return { ...record, data: JSON.stringify(message) };
}

interface Message {
  [name: string]: unknown;
}

const KIND = /^(?:type|subtype|method|sessionUpdate|jsonrpc)$/;

function parsed(data: RawRecord["data"]): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}

/** Where the texts of a message are. */
function* pathsOf(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value === "string" && path.length > 0) yield path;
  else if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, name]);
}

const ASK = {
  kind: "question",
  title: "",
  options: [],
  questions: ["one", "two"].map((id) => ({ id, text: "Which?", free: true, options: [] })),
} as never;
const MASK = new SecretMask([
  ["WORD", "aaaaaaaaaaaaaaaaaaaab"],
  ["LINES", "one\n\n\n\ntwo"],
]);

const HELPERS: Readonly<Record<string, (text: string) => unknown>> = {
  plainText,
  shellCommand,
  "shellCommand in a shell": (text) => shellCommand(`/bin/bash -lc '${text}`),
  withoutPreface,
  withoutPasswords,
  "withoutPasswords behind a scheme": (text) => withoutPasswords(`https://${text}`),
  parsePartialJson,
  "parsePartialJson in a text": (text) => parsePartialJson(`{"a":"${text}`),
  isStackTrace: (text) => isStackTrace({ name: "UnknownError", data: { message: text } } as never),
  promptWithMentions: (text) => promptWithMentions(`@${text}`, "/nowhere"),
  assertNotGit: (text) => assertNotGit("/folder", `/folder/${text}`, text),
  findAnswer: (text) => findAnswer(ASK, `1${text}`),
  suggestWord: (text) => suggestWord(text.slice(0, 1000), ["status"]),
  truncateOutput: (text) => truncateOutput(text, 1000),
  splitText: (text) => [...splitText(text, 1000)],
  unifiedDiff: (text) => unifiedDiff("a.txt", text, `${text}y`),
  readGitConfig: (text) => [...readGitConfig(`[core]\nx = ${text}`)],
  "readGitConfig in a header": (text) => [...readGitConfig(`[include "${text}`)],
  makeSnippet: (text) => makeSnippet(text, ["x"]),
  findCommand: (text) =>
    findCommand([{ type: "text", text: `/${text}` }], {
      offered: [{ name: "review", description: text }],
      hasCommands: true,
    }),
  sessionAsks: (text) =>
    sessionAsks(
      { capabilities: { permissions: true, slashCommands: true } },
      { mode: "m", modes: [{ id: "m", name: text, description: text }] },
    ),
  "SecretMask.text": (text) => MASK.text(text),
  "SecretMask.diff": (text) => MASK.diff(text),
};

function begin(what: string, character: string): void {
  process.stdout.write(`${what} with ${JSON.stringify(character)}\n`);
}

const [what, seed] = process.argv.slice(2);
if (what === "helpers")
  for (const [name, read] of Object.entries(HELPERS)) {
    for (const character of CHARACTERS) {
      begin(name, character);
      read(`${character.repeat(LENGTH)}x`);
    }
  }
else {
  const random = new Random(Number(seed));
  for (const agent of AGENTS) playTranslator(PROTOCOLS.get(agent)!, random);
}
process.stdout.write("done\n");
