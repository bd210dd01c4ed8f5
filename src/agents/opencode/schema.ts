/** The schema of the server's events, from the document it serves itself. */
import { DEFAULT_START_TIMEOUT_MS } from "../../core/start-timeout.ts";
import type { ExtractOptions } from "../schemas/extract-schema.ts";
import { type JsonSchema, type MessageSchema, messageSchema } from "../schemas/message-schema.ts";
import { readVersion } from "../transport/agent-program.ts";
import { ProgramAnswers } from "../transport/program-answers.ts";
import { launch } from "./launch.ts";
import { startServer } from "./start-server.ts";

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** Of its new interface, which we do not use. */
const OTHER_INTERFACE = /SessionNext|V2/;

export async function extractOpenCodeSchema(options: ExtractOptions): Promise<MessageSchema> {
  const { processHost, program, directory } = options;
  const version = (await readVersion(new ProgramAnswers(processHost), program)) ?? "unknown";
  const connect = { sessionId: "schema", cwd: directory };
  const server = await startServer(
    processHost,
    launch({ program, connect, cwd: directory, environment: {} }),
    { signal: AbortSignal.timeout(DEFAULT_START_TIMEOUT_MS) },
  );
  try {
    const { body, error } = await server.ask({ id: 0, method: "GET", path: "/doc" }, directory);
    const { schemas } = (body as OpenApi | undefined)?.components ?? {};
    if (!schemas?.Event?.anyOf) throw new Error(`OpenCode gave no schema${error ? `: ${error}` : ""}`);
    const events = schemas.Event.anyOf.filter(({ $ref = "" }) => !OTHER_INTERFACE.test($ref));
    return messageSchema(
      { title: "Events of opencode serve", version, sources: [`/doc of opencode serve ${version}`] },
      events,
      schemas,
    );
  } finally {
    await server.end();
  }
}
