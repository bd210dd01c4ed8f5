/** A directory outside the roots of the daemon in the background, opened for one session by whoever may decide that. */
import { SessionRoots } from "../../config/session-roots.ts";
import { InterlinguaError } from "../../sdk/error.ts";
import { Backoff, isPassing } from "../../sdk/retry.ts";
import { readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import type { Flags } from "../command.ts";
import { confirm } from "../confirm.ts";
import { UsageError } from "../usage-error.ts";
import { wrapText } from "../word-wrap.ts";
import { isAtTerminal } from "./answerer-of.ts";
import { harmless } from "./style.ts";

const MAX_TRIES = 5;
const ANOTHER = "Name another directory with --cwd";

export interface RootWish {
  /** Of the daemon; undefined where it was named by its address. */
  readonly dataDirectory: string | undefined;
  readonly session: string;
  /** A real path. */
  readonly directory: string;
  readonly flags: Flags;
}

/**
 * Lets `create` make the session there. Throws `refused`, which is what the daemon said, where it takes no further
 * directories.
 */
export async function withAddedRoot<Created>(
  { dataDirectory, session, directory, flags }: RootWish,
  refused: unknown,
  create: () => Promise<Created>,
): Promise<Created> {
  const daemon = dataDirectory === undefined ? undefined : readDaemonInfo(dataDirectory);
  if (dataDirectory === undefined || !daemon?.canAddRoots) {
    if (!flags.on("add-root")) throw refused;
    const remedy = "Start this one with --root, or stop it and let run start its own";
    throw new UsageError(`--add-root: only a daemon that run or chat started takes it. ${remedy}.`);
  }
  const roots = new SessionRoots(dataDirectory);
  const never = roots.refusal(directory);
  if (never !== undefined)
    throw new UsageError(
      `${never} No session is let work there this way. ${ANOTHER}, or start the daemon with --root.`,
    );
  await assertWanted(directory, daemon.roots ?? [], flags);
  roots.allow(session, directory);
  try {
    return await untilAnswered(create);
  } catch (error) {
    if (isRefusal(error)) roots.revoke(session);
    throw error;
  }
}

/** Whose answer was lost may be made: with the same id it is made once. */
async function untilAnswered<Created>(create: () => Promise<Created>): Promise<Created> {
  const backoff = new Backoff();
  for (let tries = 1; ; tries++) {
    try {
      return await create();
    } catch (error) {
      if (!isPassing(error) || tries === MAX_TRIES) throw error;
      await backoff.pause();
    }
  }
}

/** Whether the daemon said that it makes no session. */
function isRefusal(error: unknown): boolean {
  return InterlinguaError.is(error) && error.status !== undefined && error.status < 500;
}

async function assertWanted(directory: string, roots: readonly string[], flags: Flags): Promise<void> {
  if (flags.on("add-root")) return;
  const where = `${harmless(directory)} lies outside the directories the daemon works in (${roots.join(", ")})`;
  if (!isAtTerminal()) throw new UsageError(`${where}. Give --add-root to let this session work there.`);
  const warning = `${where}. What is in it can run through the agent.`;
  process.stderr.write(`${wrapText(warning, process.stderr.columns)}\n`);
  if (!(await confirm("Let this session work there?")))
    throw new UsageError(`The session was not made. ${ANOTHER}.`);
}
