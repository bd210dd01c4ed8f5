/** Locates this package and its programs that run as separate processes. */
import { extname, join, resolve } from "node:path";

/** One folder up from here: from src/, and from dist/, where the build gives this module a file of its own. */
export const PACKAGE_ROOT = resolve(import.meta.dirname, "..");

/**
 * The file of a program, by its path in src/ without an ending. The build keeps that path: it is TypeScript in src/ and
 * JavaScript in dist/.
 *
 * @example spawn(process.execPath, [ownProgram("agents/mock/program/main")]);
 */
export function ownProgram(path: string): string {
  return join(import.meta.dirname, path + extname(import.meta.filename));
}
