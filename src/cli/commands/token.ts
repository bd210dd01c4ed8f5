/** `interlingua token create`, `token list` and `token revoke`: who may use the daemon, besides its owner. */
import { ROLES, type Role } from "../../core/rights.ts";
import { suggestWord } from "../../core/suggest-word.ts";
import type { Client } from "../../sdk/client.ts";
import { InterlinguaError } from "../../sdk/error.ts";
import type { Token } from "../../sdk/types.ts";
import { CLIENT_OPTIONS, type CommandBody, type Flags, JSON_OPTION } from "../command.ts";
import { connectDaemon } from "../connect-daemon.ts";
import { daemonFlags } from "../daemon-flags.ts";
import { formatAge } from "../format-age.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import { readDuration } from "../read-duration.ts";
import { UsageError } from "../usage-error.ts";

export const tokenCreate: CommandBody = {
  positionals: ["NAME"],
  details: [
    "Prints the token, this once: only its hash is kept. NAME stands in logs as who did something.",
    "Each role may do what the ones before it may: observer reads, participant also prompts and answers questions,",
    "operator also permits, stops and changes, owner may do everything.",
  ].join("\n"),
  options: {
    role: { type: "string", placeholder: "ROLE", values: ROLES, help: `One of ${ROLES.join(", ")}` },
    session: {
      type: "string",
      multiple: true,
      placeholder: "ID",
      help: "Only for this session; may be given several times",
    },
    agent: {
      type: "string",
      multiple: true,
      placeholder: "NAME",
      help: "Only for sessions of this agent; may be given several times",
    },
    expires: { type: "string", placeholder: "DURATION", help: "Ends after 30m, 12h, 7d, say (never)" },
    ...JSON_OPTION,
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const { flags, positionals } = invocation;
    const role = readRole(flags);
    const lifetime = readDuration(flags, "expires");
    const sessions = flags.values.session as string[] | undefined;
    const client = await connectDaemon(invocation);
    const created = await client.tokens.create({
      name: positionals[0]!,
      role,
      sessions,
      agents: flags.values.agent as string[] | undefined,
      expiresAt: lifetime === undefined ? undefined : Date.now() + lifetime,
    });
    if (flags.on("json")) {
      printJson(created);
      return 0;
    }
    print(created.token);
    printNote(`This is shown once. interlingua token revoke${daemonFlags(flags)} ${created.id} ends it.`);
    for (const session of sessions ?? []) await noteIfUnknown(client, session);
    return 0;
  },
};

export const tokenList: CommandBody = {
  positionals: [],
  details: "Without that of the daemon itself, and without what is secret.",
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const tokens = await (await connectDaemon(invocation)).tokens.list();
    if (invocation.flags.on("json")) printJson(tokens);
    else if (tokens.length > 0) print(toTable(tokens));
    else printNote("There is no token but that of the daemon.");
    return 0;
  },
};

export const tokenRevoke: CommandBody = {
  positionals: ["TOKEN"],
  details: "TOKEN is its id or its name. What was opened with it ends at once.",
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const client = await connectDaemon(invocation);
    const { id, name } = await findToken(client, invocation.positionals[0]!);
    await client.tokens.revoke(id);
    if (invocation.flags.on("json")) printJson({ id, name, revoked: true });
    else printNote(`The token of ${name} is revoked.`);
    return 0;
  },
};

function readRole(flags: Flags): Role {
  const text = flags.text("role");
  if (text === undefined) throw new UsageError(`token create needs --role: one of ${ROLES.join(", ")}.`);
  const role = ROLES.find((known) => known === text);
  if (role) return role;
  throw new UsageError(`--role: there is no "${text}". Use one of ${ROLES.join(", ")}.`);
}

/** It may be made later, or mistyped. */
async function noteIfUnknown(client: Client, session: string): Promise<void> {
  try {
    await client.sessions.get(session);
  } catch (error) {
    if (!InterlinguaError.is(error, "session_not_found")) throw error;
    printNote(`There is no session "${session}" yet.`);
  }
}

/** By its id, else by its name, however that is written. */
async function findToken(client: Client, given: string): Promise<Token> {
  const tokens = await client.tokens.list();
  const wanted = given.toLowerCase();
  const found =
    tokens.find(({ id }) => id === given) ?? tokens.find(({ name }) => name.toLowerCase() === wanted);
  if (found) return found;
  const names = tokens.map(({ name }) => name);
  const meant = suggestWord(given, names);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  throw new InterlinguaError(
    "token_not_found",
    `There is no token "${given}".${hint} interlingua token list shows those there are.`,
  );
}

function toTable(tokens: readonly Token[]): string {
  const now = Date.now();
  return formatTable(
    ["ID", "NAME", "ROLE", "FOR", "ENDS IN", "LAST USED", "MADE BY"],
    tokens.map(({ id, name, role, sessions, agents, expiresAt, lastUsedAt, createdBy }) => [
      id,
      name,
      role,
      [...(sessions ?? []), ...(agents ?? [])].join(", ") || "everything",
      expiresAt === undefined ? "-" : formatAge(now, expiresAt),
      lastUsedAt === undefined ? "never" : `${formatAge(lastUsedAt, now)} ago`,
      createdBy,
    ]),
    terminalWidth(),
  );
}
