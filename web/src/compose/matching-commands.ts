/** Which of an agent's commands fit what was typed so far. */
export interface AgentCommand {
  name: string;
  description?: string;
  hint?: string;
}

const MOST = 8;

/** None once the command is complete, that is after a blank. Those that begin with it come first. */
export function matchingCommands(text: string, commands: readonly AgentCommand[] = []): AgentCommand[] {
  const typed = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  const named = commands.map((command) => ({ command, name: command.name.toLowerCase() }));
  const begin = named.filter(({ name }) => name.startsWith(typed));
  const contain = named.filter(({ name }) => !name.startsWith(typed) && name.includes(typed));
  return [...begin, ...contain].slice(0, MOST).map(({ command }) => command);
}
