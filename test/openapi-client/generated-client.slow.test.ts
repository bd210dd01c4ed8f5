/** A client that a generator makes from the OpenAPI document of a daemon: it compiles, tells variants apart, and runs. */
import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { installLocked } from "../locked-packages.ts";

/** Each line marked as an error has to be one: otherwise the compiler complains about the mark. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { components, paths } from "./interlingua.ts";

type Event = components["schemas"]["Event"];
type Frame = components["schemas"]["FeedFrame"];
type Part = components["schemas"]["PromptPart"];

export function textOf(event: Event): string {
  switch (event.type) {
    case "text.delta":
      return event.delta;
    case "prompt.accepted":
      return event.parts.map(wordsOf).join("");
    case "turn.ended": {
      const ended: components["schemas"]["TurnEndedEvent"] = event;
      return \`[\${ended.outcome} after \${ended.durationMs >= 0}]\`;
    }
    default:
      // @ts-expect-error Other events have no text.
      return event.delta ?? "";
  }
}

function wordsOf(part: Part): string {
  if (part.type === "text") return \`> \${part.text}\\n\`;
  // @ts-expect-error A file has no text.
  if (part.type === "file") return part.text ?? part.url;
  return part.path;
}

export function sessionsOf(frame: Frame): string[] {
  switch (frame.type) {
    case "snapshot":
      return frame.sessions.map(({ session }) => session);
    case "session":
    case "asks":
    case "presence":
    case "deleted":
      return [frame.session];
    case "resumed":
      return [];
    default:
      return frame satisfies never;
  }
}

// @ts-expect-error No event is called so.
export const unknown: Event["type"] = "text.deltas";
// @ts-expect-error A text part has a text.
export const empty: Part = { type: "text" };

const [baseUrl, token] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
const made = await client.POST("/v1/sessions", { body: { id: "generated", agent: "mock", options: { pace: 0 } } });
if (made.error) throw new Error(made.error.detail);
const path = { id: made.data.id };
const parts: Part[] = [{ type: "text", text: "scenario:echo hello" }];
await client.POST("/v1/sessions/{id}/messages", { params: { path }, body: { parts } });
let after = 0;
for (let isOver = false; !isOver; ) {
  const page = await client.GET("/v1/sessions/{id}/events", { params: { path, query: { after } } });
  if (page.error) throw new Error(page.error.detail);
  for (const event of page.data.events) {
    after = event.seq;
    process.stdout.write(textOf(event));
    isOver ||= event.type === "turn.ended";
  }
}
`;

const CONFIG = {
  compilerOptions: {
    ...{ target: "es2024", lib: ["es2024", "dom"], module: "esnext", moduleResolution: "bundler" },
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, types: ["node"] },
  },
  include: ["*.ts"],
};

const ROOT = join(import.meta.dirname, "../..");
const run = promisify(execFile);
const directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-openapi-")));
let daemon: Daemon;
let packages: string;

beforeAll(async () => {
  packages = join(await installLocked(import.meta.dirname), "node_modules");
  daemon = await startDaemon({ data: ":memory:", port: 0, cwd: directory, checkpoints: "off" });
  symlinkSync(packages, join(directory, "node_modules"));
  writeFileSync(join(directory, "package.json"), '{"type":"module"}');
  const typeRoots = [join(ROOT, "node_modules/@types")];
  const config = { ...CONFIG, compilerOptions: { ...CONFIG.compilerOptions, typeRoots } };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(directory, "client.ts"), PROGRAM);
  const document = join(directory, "openapi.json");
  writeFileSync(document, await (await fetch(`${daemon.url}/v1/openapi.json`)).text());
  const generator = join(packages, "openapi-typescript/bin/cli.js");
  const output = ["--output", join(directory, "interlingua.ts"), "--default-non-nullable", "false"];
  await run(process.execPath, [generator, document, ...output]);
}, 120_000);

afterAll(async () => {
  await daemon?.close();
  rmSync(directory, { recursive: true });
});

test("a generated client had no names for events, frames and parts, and nothing to tell them apart by", async () => {
  const compiler = run(process.execPath, [join(packages, "typescript/bin/tsc"), "-p", directory]);
  expect(await compiler.catch((error) => error)).toMatchObject({ stdout: "" });
}, 120_000);

test("the generated client runs a turn", async () => {
  const program = [join(directory, "client.ts"), daemon.url, daemon.token];
  const { stdout } = await run(process.execPath, program);
  expect(stdout).toMatch(/^> scenario:echo hello\n.*hello.*\[completed after true\]$/s);
}, 120_000);
