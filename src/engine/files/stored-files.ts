/** What the store has of files that travel with a session: one part says what they are, the other has their pack. */

import { eventOf } from "../../core/encoded-event.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { CapturedFiles } from "../../core/git-files.ts";
import { cutMemory, type MemoryPiece } from "../../core/memory-piece.ts";
import { readLog } from "../../core/read-log.ts";
import type { Store } from "../../core/store.ts";

/** Where it is missing the session stays where it is: the claims of nodes ask for it. */
const ABOUT = "workspace";
const PACK = "workspace-pack";

/** What is known of the files. */
export interface AboutFiles extends CapturedFiles {
  /** The daemon that has them in place. */
  readonly at: string;
  /** The newest event when that was so. */
  readonly seq: number;
  /** The trees of earlier captures, the newest first. */
  readonly earlier: readonly string[];
  /** The number after the last one of the pack's pieces. */
  readonly packNext: number;
}

/** As many earlier trees are known. */
export const MAX_EARLIER = 50;

export interface StoredFiles {
  readonly about?: AboutFiles;
  /** The number of the next piece that says it. */
  readonly aboutNext: number;
}

/** Rejects with `session_damaged` where it is not what we write. */
export async function readStoredFiles(
  store: Pick<Store, "readMemory">,
  session: string,
): Promise<StoredFiles> {
  let [text, aboutNext] = ["", 0];
  const decoder = new TextDecoder();
  for await (const { seq, data } of store.readMemory(session, ABOUT)) {
    text += decoder.decode(data, { stream: true });
    aboutNext = seq + 1;
  }
  return { aboutNext, ...(text !== "" && { about: requireAbout(session, text) }) };
}

/** Git is given some of it as arguments: nothing but an id may stand where one belongs. */
function requireAbout(session: string, text: string): AboutFiles {
  const problem = findProblem(text);
  if (problem === undefined) return JSON.parse(text) as AboutFiles;
  const detail = `What is stored of the files of session "${session}" cannot be used: ${problem}. Nothing was done with it. Restore a backup of the database.`;
  throw new InterlinguaError("session_damaged", detail);
}

const GIT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function isGitId(value: unknown): boolean {
  return typeof value === "string" && GIT_ID.test(value);
}

/** What is wrong with it, as part of a sentence. */
function findProblem(text: string): string | undefined {
  let about: { readonly [Name in keyof AboutFiles]?: unknown };
  try {
    about = Object(JSON.parse(text));
  } catch {
    return "it is not valid JSON";
  }
  const { head, tree, commit, bases, earlier, branch, at, seq, packNext } = about;
  if (!Array.isArray(bases) || !Array.isArray(earlier)) return "something is missing in it";
  const wrong = [head, tree, commit, ...bases, ...earlier].filter((id) => !isGitId(id));
  if (wrong.length > 0) return `${JSON.stringify(wrong[0])} is no id of git`;
  if (branch !== undefined && (typeof branch !== "string" || branch.startsWith("-")))
    return `${JSON.stringify(branch)} is no name of a branch`;
  const isRest = typeof at === "string" && Number.isSafeInteger(seq) && Number.isSafeInteger(packNext);
  return isRest ? undefined : "something is missing in it";
}

export async function readPack(store: Pick<Store, "readMemory">, session: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const { data } of store.readMemory(session, PACK)) pieces.push(data);
  return Buffer.concat(pieces);
}

/** Whether a turn began after that event that ended with its node, or with success: what it did was not captured. */
export async function hasLaterWork(
  store: Pick<Store, "readEvents">,
  session: string,
  after: number,
): Promise<boolean> {
  let hasBegun = false;
  for await (const page of readLog(store, session, after))
    for (const encoded of page) {
      const event = eventOf(encoded);
      if (event.type === "turn.started") hasBegun = true;
      if (event.type !== "turn.ended") continue;
      if (LOST.has(event.error?.code ?? "") || (hasBegun && event.outcome === "completed")) return true;
    }
  return false;
}

const LOST: ReadonlySet<string> = new Set(["node_lost", "daemon_restarted"]);

export function aboutPieces(seq: number, about: AboutFiles): MemoryPiece[] {
  return cutMemory(ABOUT, seq, new TextEncoder().encode(JSON.stringify(about)), { replaces: true });
}

export function packPieces(seq: number, pack: Uint8Array): MemoryPiece[] {
  return cutMemory(PACK, seq, pack, { replaces: true });
}

/** Removes both. */
export function noPieces(aboutNext: number, packNext: number): MemoryPiece[] {
  const none = { data: new Uint8Array(), replaces: true } as const;
  return [
    { part: ABOUT, seq: aboutNext, ...none },
    { part: PACK, seq: packNext, ...none },
  ];
}
