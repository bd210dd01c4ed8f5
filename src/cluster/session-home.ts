/**
 * Where the files of a session are, in SQL. A session has a home: the daemon that created it. It runs where its files are,
 * which is at home, or at every node that shares their root with it, or can lay them down in a clone of its own. Nobody else starts an agent for it; but once its
 * home is dead another node may have its log, to end what is open there.
 */
import { encodeText } from "../store/postgres/stored-text.ts";
import type { FilesOfRoot, NodeRoot } from "./node-profile.ts";

/** The files that this node has. */
export interface LocalFiles {
  /** The id of the daemon, the same for all its incarnations. */
  readonly daemon: string;
  readonly roots: readonly NodeRoot[];
}

/** Until the first release or claim it is known by the owner alone. */
export const HOME = `COALESCE(h.home, (SELECT daemon FROM node WHERE id = COALESCE(h.owner, h.last_owner)))`;

/** The parameters of the conditions below, from this one on: the daemon, its shared roots, those with clones, all its roots. */
export function homeParameters({ daemon, roots }: LocalFiles): [string, string[], string[], string[]] {
  const those = (kind: FilesOfRoot) => roots.filter(({ files }) => files === kind).map(prefixOf);
  return [daemon, those("shared"), those("git"), roots.map(prefixOf)];
}

/** How many of them are about files that this node has. */
export const FILES_PARAMETERS = 3;

/** A path is inside if it is equal, or goes on with a slash. */
function prefixOf({ path }: NodeRoot): string {
  return encodeText(path.replace(/\/+$/, ""));
}

/**
 * The home of a session that is claimed: where one of nobody is, whoever has a root for it; where files travel, whoever has
 * the session, since the next ones are there.
 */
export function adopted(first: number): string {
  return `CASE WHEN ${canLayDown(first)} THEN $${first}::text
    ELSE COALESCE(${HOME}, CASE WHEN ${isInside(`$${first + 3}`)} THEN $${first}::text END) END`;
}

/** Whether this node has the files of the session. That of nobody may be anywhere. */
export function hasFiles(first: number): string {
  const isShared = `(${isInside(`$${first + 1}`)} AND ${isAtHome("shared")})`;
  return `(${HOME} IS NULL OR ${HOME} = $${first} OR ${isShared} OR ${canLayDown(first)})`;
}

/** Whether this node can lay down what another one has captured. */
function canLayDown(first: number): string {
  return `(${isInside(`$${first + 2}`)} AND ${isAtHome("git")} AND ${IS_CAPTURED})`;
}

/** Whether files of the session travel with it: the engine keeps them in this part. */
export const IS_CAPTURED = `EXISTS (SELECT 1 FROM memory WHERE memory.session = session.id AND memory.part = 'workspace')`;

/** Whether no node lives that is the home of the session. */
export const IS_HOME_DEAD = `NOT EXISTS (SELECT 1 FROM node WHERE daemon = ${HOME} AND NOT dead)`;

/** The name of the session's home, as of its last incarnation. */
export const HOME_NAME = `(SELECT name FROM node WHERE daemon = ${HOME} ORDER BY id DESC LIMIT 1)`;

/** By what its home says of itself, dead or not; one that nobody knows any more does not object. */
function isAtHome(files: FilesOfRoot): string {
  return `COALESCE((SELECT n.labels IS NULL OR EXISTS (
    SELECT 1 FROM jsonb_array_elements(CASE jsonb_typeof(n.labels->'roots') WHEN 'array' THEN n.labels->'roots' ELSE '[]' END) r
    WHERE r->>'files' = '${files}' AND (session.cwd = r->>'path' OR starts_with(session.cwd, rtrim(r->>'path', '/') || '/')))
  FROM node n WHERE n.daemon = ${HOME} ORDER BY n.id DESC LIMIT 1), true)`;
}

function isInside(roots: string): string {
  return `EXISTS (SELECT 1 FROM unnest(${roots}::text[]) root
    WHERE session.cwd = root OR starts_with(session.cwd, root || '/'))`;
}
