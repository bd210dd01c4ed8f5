/** The directory where an agent keeps its own files. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives the directory and makes it at the first call. A daemon that keeps nothing (`:memory:`) still has agents
 * that must find their conversation again after a crash: they get a temporary one, removed with the daemon.
 */
export function agentDirectory(dataDirectory: string, agent: string): () => string {
  let directory: string | undefined;
  return () => {
    directory ??=
      dataDirectory === ":memory:" ? temporaryDirectory(agent) : join(dataDirectory, "agents", agent);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return directory;
  };
}

function temporaryDirectory(agent: string): string {
  const directory = mkdtempSync(join(tmpdir(), `interlingua-${agent}-`));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
