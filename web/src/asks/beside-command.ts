/** What the input of a command holds besides the command: also that is allowed with it. Pure. */

interface Shown {
  description?: string;
  /** Where the session works, which needs no word. */
  cwd?: string;
}

/** Undefined where there is nothing that the card does not show already. */
export function besideCommand(input: unknown, shown: Shown): Record<string, unknown> | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const { command, ...others } = input as Record<string, unknown>;
  const { cmd, ...rest } = others;
  const beside = Object.entries(command === undefined || command === null ? rest : others).filter(
    ([name, value]) => value !== undefined && value !== null && value !== "" && !isShown(name, value, shown),
  );
  return beside.length > 0 ? Object.fromEntries(beside) : undefined;
}

const DIRECTORIES: ReadonlySet<string> = new Set(["cwd", "workdir", "workingDirectory", "working_directory"]);

function isShown(name: string, value: unknown, { description, cwd }: Shown): boolean {
  return (name === "description" && value === description) || (DIRECTORIES.has(name) && value === cwd);
}
