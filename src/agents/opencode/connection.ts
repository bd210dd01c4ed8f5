/** One session over a server that others use too. */
import type { BackendSession, ConnectOptions, Forkable } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import { ChildSession } from "../transport/child-session.ts";
import { extendSession } from "../transport/extend-session.ts";
import type { Lease } from "../transport/shared-pool.ts";
import { StderrRecords } from "../transport/stderr-records.ts";
import type { Encoder } from "../transport/translator.ts";
import type { OpenCodeState } from "./conversation-state.ts";
import { CAPABILITIES, NAME } from "./manifest.ts";
import { outbound } from "./outbound.ts";
import type { OpenCodeServer } from "./server.ts";

const OPENING_TIMEOUT_MS = 60_000;

/** Takes over the lease: it is released when the session ends, or when it could not be opened. */
export async function openConnection(
  { resource: server, release }: Lease<OpenCodeServer>,
  { sessionId, cwd }: ConnectOptions,
  encoder: Encoder<OpenCodeState>,
): Promise<BackendSession & Forkable> {
  let native: string | undefined;
  try {
    const stderr = new StderrRecords();
    const process = server.open(cwd, (line) => stderr.push(line));
    void process.exited.then(release);
    const session = await extendSession(CAPABILITIES, async (observe) => {
      const opened = new ChildSession({
        agent: NAME,
        sessionId,
        process,
        stderr,
        translator: outbound,
        encoder,
        command: "opencode",
        args: ["serve"],
        observe(output) {
          const attached = output.drafts.find((draft) => draft.type === "session.attached");
          native = attached?.agentSessionId ?? native;
          observe(output);
        },
      });
      await opened.open(OPENING_TIMEOUT_MS).catch(async (error) => {
        await opened.close();
        throw error;
      });
      return opened;
    });
    return { ...session, fork: () => fork(server, native, cwd) };
  } catch (error) {
    release();
    throw error;
  }
}

async function fork(server: OpenCodeServer, session: string | undefined, cwd: string): Promise<string> {
  const path = `/session/${session}/fork`;
  const { body, error } = await server.ask({ id: 0, method: "POST", path, body: {} }, cwd);
  const { id } = (body ?? {}) as { id?: string };
  if (id !== undefined) return id;
  throw new InterlinguaError(
    "agent_failed",
    `OpenCode did not copy the session${error ? `: ${error}` : ""}.`,
  );
}
