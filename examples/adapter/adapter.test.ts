import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProcessHost, createPrograms, type ProcessHost } from "interlingua/adapter";
import { describeAdapterContract } from "interlingua/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import protocol from "./adapter.ts";
import { inbound } from "./inbound.ts";
import { outbound } from "./outbound.ts";

describe("the two halves", () => {
  const meaning = (message: object) =>
    outbound.translate({ opening: "ready" }, { direction: "in", data: JSON.stringify(message) })[1];

  it("reads what the agent says", () => {
    expect(meaning({ type: "say", text: "Hi" })).toEqual([{ type: "text.delta", delta: "Hi" }]);
    expect(meaning({ type: "done" })).toEqual([{ type: "turn.ended", outcome: "completed" }]);
    expect(meaning({ type: "moult" })).toEqual([{ type: "agent.unknown", native: "moult" }]);
  });

  it("writes what the agent takes", () => {
    const command = { type: "prompt", message: "m", parts: [{ type: "text", text: "Hi" }] } as const;
    expect(inbound.encode({ opening: "ready" }, { ...command, parts: [...command.parts] })).toEqual([
      '{"type":"ask","text":"Hi"}',
    ]);
  });
});

const memory = realpathSync(mkdtempSync(join(tmpdir(), "parrot-")));
let processHost: ProcessHost;
beforeAll(() => {
  processHost = createProcessHost({ daemonId: `parrot-${randomUUID()}`, environment: process.env });
});
afterAll(async () => {
  await processHost.close();
  rmSync(memory, { recursive: true });
});

describeAdapterContract({
  name: "parrot",
  createAdapter: () =>
    protocol.createAdapter({
      processHost,
      programs: createPrograms({ processHost, searchPath: process.env.PATH ?? "" }),
      environment: () => process.env,
      directory: () => memory,
    }),
  connectOptions: () => ({ cwd: memory }),
  failure: () => ({ options: { adapterOptions: { program: "/does/not/exist.js" } } }),
  adapterOptions: { program: join(import.meta.dirname, "parrot.js") },
  scenarios: {
    answer: { prompt: "hello", holds: (run) => run.text.includes("You said: hello") },
    stream: { prompt: "long" },
    endless: { prompt: "endless" },
    permission: {
      prompt: "write",
      isAllowed: (run) => run.of("tool.output").length > 0,
      isDenied: (run) => run.text.includes("Then I leave it."),
    },
    memory: {
      told: "the word is kestrel",
      prompt: "recall",
      holds: (run) => run.text.includes("I remember: the word is kestrel"),
    },
    // What it cannot do: prompts that would show it if it could.
    question: { prompt: "ask me", answer: () => ({}), holds: (run) => run.of("ask.opened").length > 0 },
    slashCommand: { prompt: "/help", holds: (run) => run.text.includes("There is help.") },
    image: {
      prompt: "look",
      files: [{ type: "file", url: "data:image/png;base64,iVBORw0KGgo=", mediaType: "image/png" }],
      holds: (run) => run.text.includes("a picture"),
    },
    steering: { running: "endless", prompt: "hello", holds: (run) => run.text.includes("You said: hello") },
    model: { model: "macaw", prompt: "hello", holds: (run) => run.text.includes("macaw") },
  },
});
