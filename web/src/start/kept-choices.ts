/** What was chosen for the last session, in this browser: the next one is usually like it. */
import { keep, readKeptJson } from "../browser-storage.ts";

export interface KeptChoices {
  agent?: string;
  /** Where sessions were started, the last one first. */
  directories: readonly string[];
}

const KEY = "interlingua.start";
const MAX_DIRECTORIES = 12;

export function readChoices(): KeptChoices {
  const stored = (readKeptJson(KEY) ?? {}) as Partial<KeptChoices>;
  const directories = Array.isArray(stored.directories) ? stored.directories.filter(isText) : [];
  return { ...(isText(stored.agent) && { agent: stored.agent }), directories };
}

export function keepChoices({ agent, directory }: { agent?: string; directory?: string }): void {
  const kept = readChoices();
  const directories =
    directory === undefined
      ? kept.directories
      : [directory, ...kept.directories.filter((other) => other !== directory)].slice(0, MAX_DIRECTORIES);
  keep(KEY, JSON.stringify({ ...kept, ...(agent !== undefined && { agent }), directories }));
}

/** It is not there any more. */
export function forgetDirectory(directory: string): void {
  const kept = readChoices();
  const directories = kept.directories.filter((other) => other !== directory);
  keep(KEY, JSON.stringify({ ...kept, directories }));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
