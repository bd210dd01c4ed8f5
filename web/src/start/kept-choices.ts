/** What was chosen for the last session, in this browser: the next one is usually like it. */

export interface KeptChoices {
  agent?: string;
  /** Where sessions were started, the last one first. */
  directories: readonly string[];
}

const KEY = "interlingua.start";
const MAX_DIRECTORIES = 12;

export function readChoices(): KeptChoices {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<KeptChoices>;
    const directories = Array.isArray(stored.directories) ? stored.directories.filter(isText) : [];
    return { ...(isText(stored.agent) && { agent: stored.agent }), directories };
  } catch {
    return { directories: [] };
  }
}

export function keepChoices({ agent, directory }: { agent?: string; directory?: string }): void {
  const kept = readChoices();
  const directories =
    directory === undefined
      ? kept.directories
      : [directory, ...kept.directories.filter((other) => other !== directory)].slice(0, MAX_DIRECTORIES);
  write({ ...kept, ...(agent !== undefined && { agent }), directories });
}

/** It is not there any more. */
export function forgetDirectory(directory: string): void {
  const kept = readChoices();
  write({ ...kept, directories: kept.directories.filter((other) => other !== directory) });
}

function write(choices: KeptChoices): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(choices));
  } catch {
    // Then it is chosen again next time.
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
