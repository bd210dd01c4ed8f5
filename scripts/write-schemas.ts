// Writes schemas/: what each agent can say. From the installed program where it tells, else from the types of its SDK and
// from the recordings; where they contradict each other, both stand. An agent that is not installed keeps the schema
// that is there. Then writes the names of all messages for the translators.

import { randomUUID } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readRecording } from "../src/agents/replay/recording-reader.ts";
import { SCHEMAS_DIRECTORY } from "../src/agents/schemas/committed-schema.ts";
import { SCHEMA_SOURCES } from "../src/agents/schemas/extract-schema.ts";
import { inferSchema } from "../src/agents/schemas/infer-schema.ts";
import type { MessageSchema } from "../src/agents/schemas/message-schema.ts";
import { searchPath } from "../src/core/search-path.ts";
import { createPrograms } from "../src/install/local-programs.ts";
import { createProcessHost } from "../src/process/local-process-host.ts";
import { cacheDirectory } from "../test/cache-directory.ts";
import { writeMessageNames } from "./message-names.ts";
import { readSdks } from "./sdk-schemas.ts";

const RECORDINGS = resolve(import.meta.dirname, "../test/fixtures/recordings");

/** `recorded` are the versions of the recordings in test/fixtures; the last is the newest. */
const INFERRED = [
  { agent: "acp", recorded: ["1"], of: "agents that speak version ", title: "Messages of ACP agents" },
  {
    agent: "amp",
    recorded: ["0.0.1767830505-ga62310", "0.0.1774569934-g39e3ec"],
    title: "Lines of amp --stream-json",
  },
  { agent: "claude", recorded: ["2.1.197", "2.1.325"], title: "Lines of claude --output-format=stream-json" },
];

const dataDirectory = cacheDirectory();
const processHost = createProcessHost({ daemonId: randomUUID(), environment: process.env });
const programs = createPrograms({ processHost, dataDirectory, searchPath: searchPath(process.env) });
mkdirSync(SCHEMAS_DIRECTORY, { recursive: true });
try {
  for (const [agent, source] of SCHEMA_SOURCES) {
    const program = await programs.find(source.program);
    if (!program) {
      console.log(`${agent}: not installed, left as it is`);
      continue;
    }
    const directory = mkdtempSync(join(tmpdir(), "interlingua-schema-"));
    try {
      write(agent, await source.extract({ processHost, program, directory }));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  const sdks = readSdks();
  for (const { agent, title, recorded, of = "" } of INFERRED) {
    const sdk = sdks.find((candidate) => candidate.agent === agent);
    const sources = [...(sdk ? [sdk.source] : []), `recordings of ${of}${recorded.join(" and ")}`];
    const about = { title, version: recorded.at(-1)!, sources };
    write(agent, inferSchema(about, recordedMessages(agent), nameOf, sdk?.messages));
  }
  writeMessageNames();
} finally {
  await processHost.close();
}

function write(agent: string, schema: MessageSchema): void {
  writeFileSync(join(SCHEMAS_DIRECTORY, `${agent}.json`), `${JSON.stringify(schema)}\n`);
  console.log(`${agent}: ${schema.anyOf.length} messages of ${schema.version}`);
}

function* recordedMessages(agent: string): Generator<unknown> {
  for (const file of globSync(`${agent}/*.jsonl`, { cwd: RECORDINGS }).sort()) {
    for (const { direction, data } of readRecording(readFileSync(join(RECORDINGS, file), "utf8"))) {
      if (direction !== "in" || typeof data !== "string") continue;
      try {
        yield JSON.parse(data);
      } catch {
        // A line that is none belongs to the recording, not to the language.
      }
    }
  }
}

/** Answers to requests have no name of their own. */
function nameOf({ type, subtype, method }: Readonly<Record<string, unknown>>): string | undefined {
  const names = [type, subtype, method].filter((name) => typeof name === "string");
  return names.length === 0 ? undefined : names.join("/");
}
