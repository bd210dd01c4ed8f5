/** `interlingua join SESSION`: a chat with a session that is there, beside whoever else is in it. */
import { mkdirSync, statSync } from "node:fs";
import { join as joinPath } from "node:path";
import { SessionRoots } from "../../config/session-roots.ts";
import { talk } from "../chat/talk.ts";
import { CLIENT_OPTIONS, type CommandBody } from "../command.ts";
import { daemonReader } from "../daemon-reader.ts";
import { endAtOnce } from "../exit-codes.ts";
import { openData } from "../open-data.ts";
import { resolveSession } from "../resolve-session.ts";
import { connectOrStart } from "../run/connect-or-start.ts";
import { ANSWER_OPTIONS, assertOneAnswer } from "../run/talk-options.ts";
import { storeReader } from "../store-reader.ts";
import { type StoredAt, storedAt } from "../stored-at.ts";

export const join: CommandBody = {
  positionals: ["SESSION"],
  details: [
    "Shows the last turn from its prompt on, then what happens, whoever does it. Everything else is as in chat.",
    "An ask can be answered in any terminal, and disappears in the others.",
  ].join("\n"),
  options: {
    ...ANSWER_OPTIONS,
    json: { type: "boolean", help: "Print what happens as events, one JSON object per line" },
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const given = invocation.positionals[0]!;
    assertOneAnswer(invocation.flags);
    const client = await connectOrStart(invocation, async () => rootFor(await storedAt(invocation), given));
    const reader = daemonReader(client);
    const { id, status } = await reader.session(await resolveSession(reader, given));
    assertOpen(id, status);
    return endAtOnce(await talk(invocation, client, client.sessions.handle(id)));
  },
};

function assertOpen(id: string, status: string): void {
  if (status === "closed")
    throw new Error(`Session ${id} is closed and takes no more prompts. interlingua export ${id} shows it.`);
}

/**
 * Its directory is the only one that the daemon has to work in. One that was opened for this session alone must not
 * become a root, which is for all: the daemon gets an empty one.
 */
async function rootFor(stored: StoredAt, given: string): Promise<string> {
  const dataDirectory = stored.data;
  const { id, cwd, status } = await storedSession(stored, given);
  assertOpen(id, status);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${cwd}, where session ${id} works, is no longer a directory. Make it again to join.`);
  if (!new SessionRoots(dataDirectory).has(id)) return cwd;
  const empty = joinPath(dataDirectory, "empty-root");
  mkdirSync(empty, { recursive: true, mode: 0o700 });
  return empty;
}

async function storedSession(stored: StoredAt, given: string) {
  const reader = storeReader(await openData(stored));
  try {
    return await reader.session(await resolveSession(reader, given));
  } finally {
    await reader.close();
  }
}
