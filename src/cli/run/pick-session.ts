/** The session a prompt goes to: a named one, the last one here, or a new one. */
import { randomBytes } from "node:crypto";
import { agentNameOf } from "../../core/agent-alias.ts";
import type { Client } from "../../sdk/client.ts";
import type { Session } from "../../sdk/index.ts";
import { InterlinguaError } from "../../sdk/index.ts";
import { readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import type { Flags } from "../command.ts";
import { daemonReader } from "../daemon-reader.ts";
import { printNote } from "../output.ts";
import { resolveSession } from "../resolve-session.ts";
import { UsageError } from "../usage-error.ts";
import { withAddedRoot } from "./add-root.ts";
import { isAtTerminal } from "./answerer-of.ts";
import { chooseAgent } from "./choose-agent.ts";
import { harmless } from "./style.ts";
import { settingsOf } from "./talk-options.ts";

interface Wishes {
  readonly flags: Flags;
  readonly cwd: string;
  /** Of a session that is made; absent where no prompt is known yet. */
  readonly title?: string;
  /** Of the daemon; undefined where it was named by its address. */
  readonly dataDirectory: string | undefined;
}

export async function pickSession(client: Client, wishes: Wishes): Promise<Session> {
  try {
    return await pick(client, wishes);
  } catch (error) {
    throw asCalledWrongly(error, wishes.dataDirectory);
  }
}

async function pick(client: Client, wishes: Wishes): Promise<Session> {
  const { flags, cwd } = wishes;
  const id = flags.text("session");
  if (id !== undefined && flags.on("continue"))
    throw new UsageError("--session and --continue name two sessions. Give one of them.");
  const found = flags.on("continue")
    ? await lastHere(client, cwd, flags.text("agent"))
    : id !== undefined && (await named(client, id, flags.text("agent") !== undefined));
  if (!found) return create(client, wishes, id);
  await assertFits(found, wishes);
  const change = settingsOf(flags);
  if (Object.values(change).some((value) => value !== undefined)) await found.update(change);
  return found;
}

/** A session keeps its agent and its directory. */
async function assertFits(session: Session, { flags, cwd }: Wishes): Promise<void> {
  const is = await session.details();
  const agent = flags.text("agent");
  if (agent !== undefined && agentNameOf(agent) !== is.agent)
    throw new UsageError(
      `--agent: ${session.id} is a session of ${is.agent}. Leave out --agent, or begin another.`,
    );
  if (flags.on("worktree"))
    throw new UsageError(
      `--worktree: ${session.id} has its directory. Leave it out, or begin another session.`,
    );
  if (flags.text("cwd") !== undefined && cwd !== is.cwd)
    throw new UsageError(`--cwd: ${session.id} works in ${is.cwd}. Leave out --cwd, or begin another.`);
}

async function lastHere(client: Client, cwd: string, agent?: string): Promise<Session> {
  for await (const session of client.sessions.list({ agent, cwd }))
    if (session.status !== "closed") return client.sessions.handle(session.id);
  throw new UsageError(`--continue: there is no session in ${cwd} yet. Leave it out to begin one.`);
}

/**
 * By its id, or by the beginning of one that no other has. Whoever names an agent wants a new session if there is none
 * of this id: undefined then.
 */
async function named(client: Client, given: string, canBeNew: boolean): Promise<Session | undefined> {
  try {
    return canBeNew
      ? await client.sessions.get(given)
      : client.sessions.handle(await resolveSession(daemonReader(client), given));
  } catch (error) {
    if (!InterlinguaError.is(error, "session_not_found")) throw error;
    if (canBeNew) return undefined;
    throw new UsageError(`--session: ${error.message.replace(/\.$/, "")}; with --agent it is made.`);
  }
}

async function create(
  client: Client,
  { flags, cwd, title, dataDirectory }: Wishes,
  id?: string,
): Promise<Session> {
  const agent = flags.text("agent") ?? (await unnamedAgent(client, flags, cwd));
  const worktree = flags.on("worktree") || undefined;
  const wishes = { id, agent, cwd, worktree, title, ...settingsOf(flags) };
  const made = await client.sessions.create(wishes).catch((error) => {
    if (!InterlinguaError.is(error, "outside_roots")) throw error;
    const session = id ?? `ses_${randomBytes(16).toString("base64url")}`;
    return withAddedRoot({ dataDirectory, session, directory: cwd, flags }, error, () =>
      client.sessions.create({ ...wishes, id: session }),
    );
  });
  if (id !== undefined) printNote(`New session ${id}.`);
  return made;
}

/** What the daemon refuses because of a flag, in the name of that flag. */
function asCalledWrongly(error: unknown, dataDirectory: string | undefined): unknown {
  if (InterlinguaError.is(error, "agent_not_found"))
    return new UsageError(`--agent: ${error.message}${isInBackground(dataDirectory) ? NO_CONFIG_GIVEN : ""}`);
  if (InterlinguaError.is(error, "unsupported")) return new UsageError(error.message);
  if (!InterlinguaError.is(error, "invalid_request")) return error;
  const [wrong] = error.errors ?? [];
  return new UsageError(wrong?.path === "id" ? `--session: ${wrong.message}` : error.message);
}

/** Its own config file is the only one that it reads. */
const NO_CONFIG_GIVEN =
  " This daemon was started in the background, without --config. For an agent of a config file of yours, end it with interlingua stop, and start one with interlingua serve --config FILE.";

/** Only such a daemon can be given further roots. */
function isInBackground(dataDirectory: string | undefined): boolean {
  return dataDirectory !== undefined && readDaemonInfo(dataDirectory)?.canAddRoots === true;
}

async function unnamedAgent(client: Client, flags: Flags, cwd: string): Promise<string> {
  const isScript = flags.on("json") || flags.on("yes") || flags.on("deny");
  const { agent, note } = await chooseAgent(client, { cwd, isPerson: isAtTerminal() && !isScript });
  printNote(harmless(note));
  return agent;
}
