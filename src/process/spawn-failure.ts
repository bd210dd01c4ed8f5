/** Says in plain words why a program could not be started. */
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { InterlinguaError } from "../core/error.ts";

export function spawnFailure(command: string, cwd: string, error: NodeJS.ErrnoException): InterlinguaError {
  const detail = `could not start "${command}": ${reason(command, cwd, error)}`;
  return new InterlinguaError("agent_failed", detail, { cause: error, keepsConversation: true });
}

function reason(command: string, cwd: string, error: NodeJS.ErrnoException): string {
  // The system gives the same code for a missing directory as for a missing program.
  if (!isDirectory(cwd)) return `there is no directory "${cwd}" to work in`;
  if (error.code === "EACCES") return "permission denied; is it an executable file?";
  if (error.code !== "ENOENT") return error.message;
  if (!command.includes("/")) return "not found on PATH";
  if (!existsSync(resolve(cwd, command))) return "there is no such file";
  return "the interpreter named in its first line was not found";
}

function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
