/** Translators and schemas hold together: each message an agent can send is used, or named as unused with the reason. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MESSAGE_NAMES_FILE, messageNames } from "../scripts/message-names.ts";
import { outbound as amp } from "../src/agents/amp/outbound.ts";
import { UNUSED_MESSAGES as CLAUDE_UNUSED } from "../src/agents/claude/outbound/unused-messages.ts";
import { outbound as claude } from "../src/agents/claude/outbound.ts";
import {
  UNUSED_MESSAGES as CODEX_UNUSED,
  REFUSED_REQUESTS,
} from "../src/agents/codex/outbound/unused-messages.ts";
import { outbound as codex } from "../src/agents/codex/outbound.ts";
import { UNUSED_MESSAGES as OPENCODE_UNUSED } from "../src/agents/opencode/outbound/unused-messages.ts";
import { outbound as openCode } from "../src/agents/opencode/outbound.ts";
import { readCommittedSchema } from "../src/agents/schemas/committed-schema.ts";
import { outlineOf } from "../src/agents/schemas/outline.ts";
import type { Translator } from "../src/agents/transport/translator.ts";
import { sampleOf } from "./schema-sample.ts";

interface Covered {
  agent: string;
  translator: Translator<unknown>;
  unused: ReadonlyMap<string, string>;
  /** A message as it arrives. */
  wrap?: (message: object) => object;
  /** What was said before, so that a message is about this conversation. */
  before?: readonly ["in" | "out", object][];
}

/** Ids in samples are `x`. */
const AGENTS: readonly Covered[] = [
  { agent: "amp", translator: amp as Translator<unknown>, unused: new Map() },
  { agent: "claude", translator: claude as Translator<unknown>, unused: CLAUDE_UNUSED },
  {
    agent: "codex",
    translator: codex as Translator<unknown>,
    unused: new Map([...CODEX_UNUSED, ...REFUSED_REQUESTS]),
    before: [
      ["out", { id: 1, method: "thread/start", params: {} }],
      ["in", { id: 1, result: { thread: { id: "x" } } }],
    ],
  },
  {
    agent: "opencode",
    translator: openCode as Translator<unknown>,
    unused: OPENCODE_UNUSED,
    wrap: (message) => ({ kind: "sse", stream: "global", msg: { payload: { id: "evt_1", ...message } } }),
  },
];

/** Requests for what nobody can decide are refused by name; a sample of one names none. */
const NAMELESS: Readonly<Record<string, readonly string[]>> = { claude: ["control_request"] };

/** Sent, and missing in the agent's own document. */
const UNDOCUMENTED = ["server.heartbeat", "rawResponse/completed", "rawResponseItem/completed"];

describe.each(AGENTS)("$agent", ({ agent, translator, unused, wrap, before = [] }) => {
  const schema = readCommittedSchema(agent)!;
  const messages = schema.anyOf.map((message) => {
    const [name = ""] = outlineOf({ ...schema, anyOf: [message] }).keys();
    return { name, message };
  });

  function translate(message: object) {
    const lines = [...before, ["in", wrap ? wrap(message) : message] as const];
    let state = translator.initial;
    let last: ReturnType<typeof translator.translate> | undefined;
    for (const [direction, line] of lines) {
      last = translator.translate(state, { direction, data: JSON.stringify(line) });
      [state] = last;
    }
    return last!;
  }

  it.each(messages)("$name is used, or named as unused", ({ name, message }) => {
    const [, drafts, unread = []] = translate(sampleOf(message, schema.$defs) as object);
    const unknown = drafts.filter((draft) => draft.type === "agent.unknown");
    if (NAMELESS[agent]?.includes(name)) return;
    expect(unknown).toEqual([]);
    if (unread.includes(name)) expect([...unused.keys()]).toContain(name);
  });

  it("names nothing as unused that it does not send, and gives each reason in words", () => {
    const known = [...messages.map(({ name }) => name), ...UNDOCUMENTED];
    expect([...unused.keys()].filter((name) => !known.includes(name))).toEqual([]);
    for (const reason of unused.values()) expect(reason).toMatch(/\w+ \w+ \w+/);
  });

  it("says where its schema is from, with a version each", () => {
    expect(schema.sources.length).toBeGreaterThan(0);
    for (const source of schema.sources) expect(source).toMatch(/\d/);
  });
});

it("the types of the names are those of the schemas: npm run schemas writes them", () => {
  expect(readFileSync(MESSAGE_NAMES_FILE, "utf8")).toBe(messageNames());
});
