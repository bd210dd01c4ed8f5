/** What the recordings say is what the schemas say: every message an agent sent has a place in its schema. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readRecording } from "../src/agents/replay/recording-reader.ts";
import { readCommittedSchema } from "../src/agents/schemas/committed-schema.ts";
import { SCHEMA_SOURCES } from "../src/agents/schemas/extract-schema.ts";
import type { JsonSchema, MessageSchema } from "../src/agents/schemas/message-schema.ts";
import { newIn, outlineOf } from "../src/agents/schemas/outline.ts";
import { readRecordingText, recordingsOf } from "./recordings/support.ts";

const AGENTS = ["acp", "amp", "claude", "codex", "opencode"];

/** Known to be sent and missing in the agent's own document. */
const UNDOCUMENTED = new Set([
  ...["server.heartbeat", "sync"],
  ...["rawResponse/completed", "rawResponseItem/completed"],
]);

/** Recordings of `opencode run`, `opencode acp` and its new interface, and of `codex exec`. */
const OTHER_WIRES: Readonly<Record<string, (name: string, message: Message) => boolean>> = {
  opencode: (name) => /^(acp_|cli_|v2_)/.test(name),
  codex: (_name, { method }) => method === undefined,
};

type Message = Readonly<Record<string, unknown>>;

function* messagesOf(agent: string, name: string): Generator<Message> {
  for (const { direction, data } of readRecording(readRecordingText(agent, name))) {
    if (direction !== "in" || typeof data !== "string" || !data.startsWith("{")) continue;
    const message = parse(data);
    if (message) yield message;
  }
}

function parse(data: string): Message | undefined {
  try {
    const message = JSON.parse(data);
    if (message.kind !== "sse") return message.kind === undefined ? message : undefined;
    const event = message.msg?.payload ?? message.msg;
    return typeof event === "object" && event.type !== undefined ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Answers to requests have no name of their own. */
function nameOf({ type, method, subtype }: Message): string | undefined {
  const names = [type, method, subtype].filter((name) => typeof name === "string");
  return names.length === 0 ? undefined : names.join("/");
}

/** The validators of a schema, by the name of the message. */
function validators(schema: MessageSchema): Map<string, z.ZodType> {
  const found = new Map<string, z.ZodType>();
  for (const message of schema.anyOf) {
    const [name] = outlineOf({ ...schema, anyOf: [message] }).keys();
    // Agents send more than their documents tell; what is missing or of another kind is what counts.
    const { $defs } = open(schema);
    found.set(name!, z.fromJSONSchema({ ...open(message), $defs } as z.core.JSONSchema.JSONSchema));
  }
  return found;
}

function open<Schema extends JsonSchema | MessageSchema>(schema: Schema): Schema {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === "additionalProperties" && value === false ? undefined : value,
    ),
  );
}

describe.each(AGENTS)("%s", (agent) => {
  const schema = readCommittedSchema(agent)!;
  const known = validators(schema);

  it("is a schema of messages", () => {
    expect(known.size).toBeGreaterThan(3);
  });

  it("covers the recordings", () => {
    const problems = new Set<string>();
    let messages = 0;
    for (const name of recordingsOf(agent)) {
      for (const message of messagesOf(agent, name)) {
        if (OTHER_WIRES[agent]?.(name, message)) continue;
        const type = nameOf(message);
        if (type === undefined || UNDOCUMENTED.has(type)) continue;
        messages += 1;
        const result = known.get(type)?.safeParse(message);
        if (!result) problems.add(`${type} is not in the schema`);
        else if (!result.success) problems.add(`${type}: ${z.prettifyError(result.error).split("\n")[0]}`);
      }
    }
    expect(messages).toBeGreaterThan(30);
    expect([...problems]).toEqual([]);
  });
});

it.each([...SCHEMA_SOURCES])("the schema of %s is of the version that is installed", (agent, { program }) => {
  expect(readCommittedSchema(agent)?.version).toBe(program.version);
});

it("finds new messages and new fields", () => {
  const known = readCommittedSchema("opencode")!;
  const changed: MessageSchema = JSON.parse(JSON.stringify(known));
  const delta = changed.$defs.EventMessagePartDelta!.properties!.properties!.properties as Record<
    string,
    JsonSchema
  >;
  delta.colour = { type: "object", properties: { red: { type: "number" } } };
  (changed.anyOf as JsonSchema[]).push({ properties: { type: { const: "session.levitated" } } });
  expect(newIn(outlineOf(changed), outlineOf(known))).toEqual({
    messages: ["session.levitated"],
    fields: [{ message: "message.part.delta", path: "properties.colour" }],
  });
  expect(newIn(outlineOf(known), outlineOf(known))).toEqual({ messages: [], fields: [] });
});
