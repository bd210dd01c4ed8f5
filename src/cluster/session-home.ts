/**
 * Where the files of a session are, in SQL. A session has a home: the daemon that created it. It runs where its files are,
 * which is at home, or at every node that shares their root with it. Nobody else starts an agent for it; but once its
 * home is dead another node may have its log, to end what is open there.
 */
import { encodeText } from "../store/postgres/stored-text.ts";
import type { NodeRoot } from "./node-profile.ts";

/** The files that this node has. */
export interface LocalFiles {
  /** The id of the daemon, the same for all its incarnations. */
  readonly daemon: string;
  readonly roots: readonly NodeRoot[];
}

/** Until the first release or claim it is known by the owner alone. */
export const HOME = `COALESCE(h.home, (SELECT daemon FROM node WHERE id = COALESCE(h.owner, h.last_owner)))`;

/** The parameters of the conditions below, from this one on: the daemon, its shared roots, all its roots. */
export function homeParameters({ daemon, roots }: LocalFiles): [string, string[], string[]] {
  const shared = roots.filter(({ files }) => files === "shared");
  return [daemon, shared.map(prefixOf), roots.map(prefixOf)];
}

/** A path is inside if it is equal, or goes on with a slash. */
function prefixOf({ path }: NodeRoot): string {
  return encodeText(path.replace(/\/+$/, ""));
}

/** Where a session of nobody is claimed, it becomes that of whoever has a root for it. */
export function adopted(first: number): string {
  return `COALESCE(${HOME}, CASE WHEN ${isInside(`$${first + 2}`)} THEN $${first}::text END)`;
}

/** Whether this node has the files of the session. That of nobody may be anywhere. */
export function hasFiles(first: number): string {
  return `(${HOME} IS NULL OR ${HOME} = $${first} OR (${isInside(`$${first + 1}`)} AND ${SHARED_AT_HOME}))`;
}

/** Whether no node lives that is the home of the session. */
export const IS_HOME_DEAD = `NOT EXISTS (SELECT 1 FROM node WHERE daemon = ${HOME} AND NOT dead)`;

/** The name of the session's home, as of its last incarnation. */
export const HOME_NAME = `(SELECT name FROM node WHERE daemon = ${HOME} ORDER BY id DESC LIMIT 1)`;

/** By what its home says of itself, dead or not; one that nobody knows any more does not object. */
const SHARED_AT_HOME = `COALESCE((SELECT n.labels IS NULL OR EXISTS (
    SELECT 1 FROM jsonb_array_elements(CASE jsonb_typeof(n.labels->'roots') WHEN 'array' THEN n.labels->'roots' ELSE '[]' END) r
    WHERE r->>'files' = 'shared' AND (session.cwd = r->>'path' OR starts_with(session.cwd, rtrim(r->>'path', '/') || '/')))
  FROM node n WHERE n.daemon = ${HOME} ORDER BY n.id DESC LIMIT 1), true)`;

function isInside(roots: string): string {
  return `EXISTS (SELECT 1 FROM unnest(${roots}::text[]) root
    WHERE session.cwd = root OR starts_with(session.cwd, root || '/'))`;
}
