/**
 * `interlingua __complete WORDS…`: what the scripts of `interlingua completion` ask for at each press of Tab. One
 * candidate per line, with its help after a tab; `:files` and `:directories` leave it to the shell.
 */
import { parseArgs } from "node:util";
import type { SessionView } from "../../sdk/types.ts";
import { CLIENT_OPTIONS, type Invocation } from "../command.ts";
import { printable } from "../format-table.ts";
import { print } from "../output.ts";
import { type Candidate, findCandidates, typedArguments } from "./find-candidates.ts";

/** More cannot be looked through at a prompt. */
const MAX_SESSIONS = 100;
const SESSIONS_PER_PAGE = 500;
/** Enough of a checkpoint's id. */
const SHOWN_ID_LENGTH = 12;

/** Never fails: whoever types wants no error between the words. */
export async function complete(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const current = words.at(-1) ?? "";
  const candidates = await candidatesFor(words, invocationOf(words, environment)).catch(() => []);
  if (typeof candidates === "string") print(candidates);
  else
    for (const { word, help } of candidates)
      if (word.startsWith(current)) print(help ? `${word}\t${printable(help)}` : word);
  return 0;
}

async function candidatesFor(
  words: readonly string[],
  invocation: Invocation,
): Promise<readonly Candidate[] | string> {
  const found = await findCandidates(words);
  switch (found) {
    case "files":
    case "directories":
      return `:${found}`;
    case "sessions":
      return sessions(words, invocation);
    case "checkpoints":
      return checkpoints(words, invocation);
    case "agents":
      return agents(invocation);
    case "tokens":
      return tokens(invocation);
    default:
      return found;
  }
}

/** Those whose ids begin with the word that is being typed, last changed first. */
async function sessions(words: readonly string[], invocation: Invocation): Promise<Candidate[]> {
  const { openReader } = await import("../open-reader.ts");
  const { sessionLabel } = await import("../session-label.ts");
  const reader = await openReader(invocation);
  const current = words.at(-1) ?? "";
  const found: SessionView[] = [];
  try {
    for await (const session of reader.listSessions({ limit: SESSIONS_PER_PAGE })) {
      if (session.id.startsWith(current)) found.push(session);
      if (found.length === MAX_SESSIONS) break;
    }
    return await Promise.all(
      found.map(async (session) => ({ word: session.id, help: await sessionLabel(reader, session) })),
    );
  } finally {
    await reader.close();
  }
}

/** Of the session that was typed before, the newest first. */
async function checkpoints(words: readonly string[], invocation: Invocation): Promise<Candidate[]> {
  const { connectSession } = await import("../resolve-session.ts");
  const { formatAge } = await import("../format-age.ts");
  const session = await connectSession({
    ...invocation,
    positionals: await typedArguments(words),
  });
  const taken = (await session.checkpoints()).filter(({ dropped, elsewhere }) => !dropped && !elsewhere);
  const now = Date.now();
  return [
    { word: "last", help: "before the last prompt" },
    ...taken.toReversed().map(({ id, kind, at }) => ({
      word: id.slice(0, SHOWN_ID_LENGTH),
      help: `${kind}, ${formatAge(at, now)}`,
    })),
  ];
}

async function agents(invocation: Invocation): Promise<Candidate[]> {
  const { agentNames } = await import("../agent-names.ts");
  return (await agentNames(invocation)).map((word) => ({ word }));
}

/** By name where that is one word, as most are. */
async function tokens(invocation: Invocation): Promise<Candidate[]> {
  const { connectDaemon } = await import("../connect-daemon.ts");
  const known = await (await connectDaemon(invocation)).tokens.list();
  return known.map(({ id, name, role }) =>
    name.includes(" ") ? { word: id, help: `${name}, ${role}` } : { word: name, help: role },
  );
}

/** Of the line so far only which daemon it is about. */
function invocationOf(words: readonly string[], environment: NodeJS.ProcessEnv): Invocation {
  const options = Object.fromEntries(
    Object.keys(CLIENT_OPTIONS).map((name) => [name, { type: "string" }] as const),
  );
  const { values } = parseArgs({ args: words.slice(0, -1), options, strict: false, allowPositionals: true });
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  const given = Object.fromEntries(Object.keys(CLIENT_OPTIONS).map((name) => [name, text(name)]));
  return {
    flags: { values: given, text, on: () => false },
    positionals: [],
    environment,
    cwd: process.cwd(),
  };
}
