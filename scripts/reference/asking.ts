/** docs/reference/asking.md: when each agent asks, and what its slash commands need, from the reviewed rules. */
import { ASKING_RULES } from "../../src/agents/asking-rules.ts";
import { PROTOCOLS } from "../../src/agents/registry.ts";
import type { AskingRules, Asks } from "../../src/core/asks-permission.ts";
import type { CommandRight } from "../../src/core/prompt-commands.ts";
import { markdownTable } from "./markdown-table.ts";

export function asking(): string {
  const agents = Object.entries(ASKING_RULES);
  return `# When agents ask

<!-- Written by \`npm run reference\` from src/agents/asking-rules.ts. Change it there. -->

A session asks if a person, or a sandbox, decides before its agent runs a command that reaches beyond the files of the session.
A mode in which the model decides what to ask about does not count. The answer is yes, no or unknown, and \`asks\` of
[a session](http-api.md#get-v1sessionsid) has it, with the field that decides. [Why so](../decisions/081-whether-a-session-asks.md).

What needs a [right](rights.md) because of it, where unknown counts as no:

| what | right |
|---|---|
| choosing a mode, a permission mode or the value of a setting that does not ask | \`session.bypass\` |
| choosing a mode that is unknown, where the agent is unknown "at first" too and nothing else was chosen | \`session.unasked\` |
| answering an ask with an option that switches to such a mode or setting | \`session.bypass\` |
| making a session of an agent that never asks | \`session.bypass\` |
| forking a session | what making it needs with the modes and settings that were chosen for it, and \`session.unasked\` if it does not ask |
| prompting a session that does not ask | \`session.unasked\` |
| a slash command that can change whether the agent asks, or brings it programs | \`session.bypass\` |
| another slash command that the agent offers | \`session.settings\` |
| \`/name\` of an agent that does not list its commands within five seconds | \`session.settings\` |
| a slash command that is listed as harmless | \`session.prompt\` |

[A port without a token](../guides/agentsmithy.md#what-can-be-done-there) shows only sessions that ask.

## Modes and settings

"At first" is how an agent works before a mode was chosen or reported. What an agent has besides is unknown, except for
settings of the categories \`model\`, \`model_config\` and \`thought_level\`, which are no matter of permissions. A setting of
\`null\` counts as yes: the agent chooses its value, as it does where nobody has chosen one. Agents of the config
[say themselves](../guides/acp.md#when-it-asks) when they ask.

**Options in the config.** If \`agents.NAME.command\` of an agent below has an argument that begins with \`-\`, its sessions that
would count as yes are unknown, because options such as \`--yolo\` turn asking off. Scripts, as in
\`["node", "cli.js"]\`, change nothing. Interlingua does not look into a wrapper script.

**Sub-agents.** The answer is meant to cover what sub-agents run. Recordings show that those of Claude Code and Codex ask. The
sub-agents of OpenCode run commands without asking, in every permission mode, so its modes are unknown. Kilo is a copy of
OpenCode and counts the same. For Gemini, Qwen, Copilot, Grok, Droid, goose, Cline and Kimi no recording shows a sub-agent
that wants to run a command. Their "asks" holds for the agent itself only.

${markdownTable(["agent", "at first", "asks", "does not ask", "unknown"], agents.map(agentRow))}

## Answers to asks

An option that allows one tool or one kind of command, also for good, needs \`ask.permission\` only. An option whose id, or
whose \`covers\`, names a mode or setting that does not ask needs \`session.bypass\`. These options need it too:

${markdownTable(
  ["agent", "need `session.bypass`"],
  agents
    .filter(([, { askOptions }]) => askOptions)
    .map(([name, { askOptions = {} }]) => [code(name), Object.keys(askOptions).map(code).join(", ")]),
)}

## Slash commands

A prompt is a command if its first word is one that the agent offers. Commands that need \`session.bypass\` count in any case.
Before the agent has listed its commands, a prompt that begins with \`/name\` starts the agent and waits for the list, except
for callers who have \`session.bypass\`. The words that go with an answer to an ask count
like a prompt: some agents get them as one.

A file of the workspace, such as \`.claude/commands/review.md\`, can take over a harmless name. Claude Code marks such a
command in its description, with \`(project)\` or \`(user)\`, and then it needs \`session.settings\`. **Other agents do not mark
them**: there a participant can give a command of the workspace that has a harmless name.

${markdownTable(
  ["agent", "harmless", "need `session.bypass`"],
  agents
    .filter(([, { commands }]) => commands)
    .map(([name, { commands = {} }]) => [
      code(name),
      commandsWith(commands, "session.prompt"),
      commandsWith(commands, "session.bypass"),
    ]),
)}
`;
}

function agentRow([name, rules]: [string, AskingRules]): string[] {
  if (!PROTOCOLS.get(name)!.capabilities.permissions) return [code(name), "never", "", "", ""];
  const values = valuesOf(rules);
  const listed = (asks: Asks) =>
    values
      .filter(([, value]) => value === asks)
      .map(([what]) => what)
      .join(", ");
  return [code(name), rules.unset, listed("yes"), listed("no"), listed("unknown")];
}

function valuesOf({ permissionModes = {}, modes = {}, settings = {} }: AskingRules): [string, Asks][] {
  const ofModes = Object.entries(modes).map(([id, asks]): [string, Asks] => [
    code(id.replace(/^.*#/, "#")),
    asks,
  ]);
  const ofPermissionModes = Object.entries(permissionModes).map(([id, asks]): [string, Asks] => [
    code(`permissionMode=${id}`),
    asks,
  ]);
  const ofSettings = Object.entries(settings).flatMap(([id, rules]): [string, Asks][] =>
    typeof rules === "string"
      ? [[code(id), rules]]
      : Object.entries(rules).map(([value, asks]): [string, Asks] => [
          value === "*" ? `other values of ${code(id)}` : code(`${id}=${value}`),
          asks,
        ]),
  );
  return [...ofModes, ...ofPermissionModes, ...ofSettings];
}

function commandsWith(commands: Readonly<Record<string, CommandRight>>, right: CommandRight): string {
  return Object.entries(commands)
    .filter(([, needed]) => needed === right)
    .map(([name]) => code(`/${name}`))
    .sort()
    .join(", ");
}

function code(text: string): string {
  return `\`${text}\``;
}
