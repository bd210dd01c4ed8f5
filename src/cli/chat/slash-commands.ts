/** What can be typed with a slash in a chat. Everything else goes to the agent. */
import { PERMISSION_MODES } from "../../core/capability.ts";
import type { Client } from "../../sdk/client.ts";
import type { Session, SessionDetails, UpdateSession } from "../../sdk/index.ts";
import type { SessionView } from "../../sdk/types.ts";
import { daemonReader } from "../daemon-reader.ts";
import { formatAge } from "../format-age.ts";
import { formatTable } from "../format-table.ts";
import { harmless } from "../run/style.ts";
import { sessionLabel } from "../session-label.ts";
import { padToWidth, widthOf } from "../text-width.ts";

/** The chat, as its commands see it. */
export interface ChatControl {
  readonly client: Client;
  readonly session: Session;
  readonly note: (text: string) => void;
  /** Gives a prompt to the agent, into the running turn where it can take it. */
  steer(text: string): Promise<void>;
  interrupt(): void;
  leave(): void;
}

export interface SlashCommand {
  readonly name: string;
  /** What others call it. */
  readonly alias?: string;
  readonly argument?: string;
  readonly help: string;
  run(chat: ChatControl, argument: string): Promise<void> | void;
  /** What the argument can be. */
  complete?(details: SessionDetails): string[];
}

const MAX_SESSIONS = 15;

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: "help", help: "This list", run: (chat) => chat.note(helpText()) },
  {
    name: "model",
    argument: "[MODEL]",
    help: "The models, or another one from now on",
    complete: ({ models = [] }) => models.map(({ id }) => id),
    run: (chat, model) => (model ? changeModel(chat, model) : list(chat, "models", "model")),
  },
  {
    name: "mode",
    argument: "[MODE]",
    help: "The modes, or another one from now on",
    complete: ({ modes = [] }) => modes.map(({ id }) => id),
    run: (chat, mode) => (mode ? change(chat, { mode }) : list(chat, "modes", "mode")),
  },
  {
    name: "permissions",
    argument: "[MODE]",
    help: "What it may do unasked, or another mode from now on",
    complete: () => [...PERMISSION_MODES],
    run: (chat, mode) => (mode ? changePermissions(chat, mode) : listPermissions(chat)),
  },
  {
    name: "settings",
    argument: "[ID VALUE]",
    help: "The agent's other settings, or another value for one",
    complete: ({ settings = [] }) =>
      settings.flatMap(({ id, choices = [] }) => [id, ...choices.map((choice) => `${id} ${choice.id}`)]),
    run: changeSetting,
  },
  { name: "agent", help: "Who answers here, and where it works", run: describeAgent },
  {
    name: "steer",
    argument: "TEXT",
    help: "Say it to the running turn",
    run: (chat, text) => chat.steer(text),
  },
  { name: "queue", help: "Prompts that wait", run: listQueue },
  {
    name: "interrupt",
    alias: "stop",
    help: "Stop the turn, like Ctrl-C; what waits is held",
    run: (chat) => chat.interrupt(),
  },
  { name: "continue", help: "Let what is held run", run: releaseQueue },
  {
    name: "rename",
    argument: "TITLE",
    help: "Give the session a title",
    run: (chat, title) => (title ? change(chat, { title }) : chat.note("Give the title: /rename TITLE")),
  },
  { name: "sessions", help: "The last sessions", run: listSessions },
  { name: "exit", alias: "quit", help: "Leave, like Ctrl-D", run: (chat) => chat.leave() },
];

/** The command a line begins with, and the rest of it. `//` begins what goes to the agent with one slash less. */
export function findSlashCommand(text: string): { command: SlashCommand; argument: string } | undefined {
  const [, name, argument = ""] = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  const command = SLASH_COMMANDS.find((known) =>
    [known.name, known.alias ?? known.name].includes(name ?? ""),
  );
  return command && { command, argument: argument.trim() };
}

function helpText(): string {
  const rows = SLASH_COMMANDS.map(({ name, alias, argument = "", help }) => [
    `/${name}${alias === undefined ? "" : `, /${alias}`} ${argument}`.trim(),
    help,
  ]);
  const width = Math.max(...rows.map(([left = ""]) => left.length));
  return [
    ...rows.map(([left = "", right]) => `  ${left.padEnd(width)}  ${right}`),
    "Other words with a slash are commands of the agent; //help is its own /help.",
    "Tab completes commands, and files after @, which go along with the prompt.",
    "A line that ends with \\ goes on in the next one. Up brings back earlier prompts, Ctrl-R searches them.",
    "What is typed while the agent works waits until the turn has ended. Ctrl-C stops the turn.",
  ].join("\n");
}

async function change({ session, note }: ChatControl, body: UpdateSession): Promise<void> {
  await session.update(body);
  const [[what, value] = []] = Object.entries(body);
  note(harmless(`The ${what} is ${value} now.`));
}

async function changePermissions(chat: ChatControl, mode: string): Promise<void> {
  const permissionMode = PERMISSION_MODES.find((known) => known === mode);
  if (permissionMode === undefined)
    return chat.note(harmless(`There is no ${mode}. Give one of ${PERMISSION_MODES.join(", ")}.`));
  await chat.session.update({ permissionMode });
  chat.note(`The permission mode is ${permissionMode} now.`);
}

async function listPermissions({ client, session, note }: ChatControl): Promise<void> {
  const { agent, permissionMode } = await session.details();
  const offered = (await client.agents.list()).find(({ name }) => name === agent);
  const { permissionModes = [] } = offered?.capabilities ?? {};
  if (permissionModes.length === 0) return note(harmless(`${agent} has no permission modes.`));
  note(permissionModes.map((mode) => `${mode === permissionMode ? "*" : " "} ${mode}`).join("\n"));
}

/** Agents take names that they do not list, such as those of older models: a slip is said and not refused. */
async function changeModel(chat: ChatControl, model: string): Promise<void> {
  const { models = [], agent } = await chat.session.details();
  await change(chat, { model });
  if (models.length > 0 && !models.some(({ id }) => id === model))
    chat.note(harmless(`${agent} has not named it: it knows ${models.map(({ id }) => id).join(", ")}.`));
}

async function list({ session, note }: ChatControl, key: "models" | "modes", current: "model" | "mode") {
  const details = await session.details();
  const chosen = details[current];
  const offered = details[key] ?? [];
  if (offered.length === 0)
    return note(harmless(`The agent has named no ${key} yet.${chosen ? ` Now: ${chosen}` : ""}`));
  // Some agents list names that stand for others, and use these.
  const isListed = chosen === undefined || offered.some(({ id }) => id === chosen);
  const all = isListed ? offered : [{ id: chosen, description: "In use" }, ...offered];
  const width = Math.max(...all.map(({ id }) => widthOf(id)));
  const lines = all.map(({ id, description = "" }) =>
    `${id === chosen ? "*" : " "} ${padToWidth(id, width)}  ${description}`.trimEnd(),
  );
  const when = details.attached ? "" : ": it does not run yet";
  if (chosen === undefined) lines.push(`(${details.agent} has not said which one it uses${when}.)`);
  note(harmless(lines.join("\n")));
}

async function changeSetting(chat: ChatControl, argument: string): Promise<void> {
  const { settings = [] } = await chat.session.details();
  const [, id, value] = /^(\S+)\s+(.+)$/.exec(argument) ?? [];
  if (id === undefined || value === undefined) {
    const lines = settings.map(
      ({ id, value, choices = [] }) =>
        `  ${id} ${value}${choices.length > 0 ? `  (${choices.map((choice) => choice.id).join(", ")})` : ""}`,
    );
    return chat.note(harmless(lines.join("\n")) || "The agent has named no settings yet.");
  }
  const isSwitch = typeof settings.find((setting) => setting.id === id)?.value === "boolean";
  await chat.session.update({ settings: { [id]: isSwitch ? /^(true|on|yes)$/.test(value) : value } });
  chat.note(harmless(`${id} is ${value} now.`));
}

async function describeAgent({ session, note }: ChatControl): Promise<void> {
  const { agent, agentVersion, model, mode, cwd, title, status } = await session.details();
  const facts = {
    session: session.id,
    title,
    agent,
    version: agentVersion,
    model,
    mode,
    directory: cwd,
    status,
  };
  const lines = Object.entries(facts).filter(([, value]) => value !== undefined);
  note(harmless(lines.map(([name, value]) => `  ${name.padEnd(9)}  ${value}`).join("\n")));
}

async function listQueue({ session, note }: ChatControl): Promise<void> {
  const { queue, hasMore, held } = await session.queue();
  const lines = queue.map(
    (prompt, index) => `  ${index + 1}. ${prompt.held ? "(held) " : ""}${textOf(prompt.parts)}`,
  );
  if (held || queue.some((prompt) => prompt.held)) lines.unshift("  Held: /continue lets them run.");
  note(harmless([...lines, ...(hasMore ? ["  …"] : [])].join("\n")) || "Nothing waits.");
}

async function releaseQueue({ session, note }: ChatControl): Promise<void> {
  const { released } = await session.releaseQueue();
  if (!released) note("Nothing is held.");
}

function textOf(parts: readonly { type: string; text?: string }[]): string {
  return parts.find(({ type }) => type === "text")?.text?.replace(/\s+/g, " ") ?? "(a file)";
}

async function listSessions({ client, session, note }: ChatControl): Promise<void> {
  const reader = daemonReader(client);
  const found: SessionView[] = [];
  for await (const one of reader.listSessions({ limit: MAX_SESSIONS, archived: false })) {
    found.push(one);
    if (found.length === MAX_SESSIONS) break;
  }
  const rows = await Promise.all(
    found.map(async (one) => [
      one.id === session.id ? "*" : "",
      one.id,
      one.agent,
      one.status,
      formatAge(one.updatedAt, Date.now()),
      await sessionLabel(reader, one),
    ]),
  );
  note(formatTable(["", "ID", "AGENT", "STATUS", "AGE", "TITLE"], rows, process.stderr.columns));
}
