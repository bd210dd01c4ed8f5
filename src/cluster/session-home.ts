/**
 * What nodes can do with a session, in SQL. A session has a home: the daemon that created it. It runs where its files are,
 * which is at home, or at every node that shares their root with it, or can lay them down in a clone of its own; and only
 * where its agent is. A node that lacks something has the session only while no other one can do more with it, with
 * log-only access: it ends what is open in the log.
 */
import { KEPT_HOME } from "../store/postgres/schema.ts";
import type { FilesOfRoot } from "./node-profile.ts";
import { hasSameRoot } from "./same-directories.ts";

/** NULL for a session of nobody. */
export const HOME = `NULLIF(${KEPT_HOME}, '')`;

/** Whether files of the session travel with it: the engine keeps them in this part. */
export const IS_CAPTURED = `EXISTS (SELECT 1 FROM memory WHERE memory.session = session.id AND memory.part = 'workspace')`;

/** The name of the session's home, as of its last incarnation. */
export const HOME_NAME = `(SELECT name FROM node WHERE daemon = ${HOME} ORDER BY id DESC LIMIT 1)`;

/** The number of that incarnation. */
export const HOME_NUMBER = `(SELECT max(id) FROM node WHERE daemon = ${HOME})`;

/** That of a node that has everything. */
export const RUNS = 2;
/** That of a node that has the files, but not the agent. */
export const HAS_FILES = 1;

/** How much the node of this alias can do with the session. Without the agent files that travel are not laid down. */
export function ability(node: string): string {
  return `CASE WHEN ${hasFiles(node)} THEN CASE WHEN ${hasAgent(node)} THEN ${RUNS} ELSE ${HAS_FILES} END
    WHEN ${canLayDown(node)} AND ${hasAgent(node)} THEN ${RUNS} ELSE 0 END`;
}

/** The number of a node that can do more than the one of this alias, and takes sessions; NULL where there is none. */
export function ablerThan(node: string): string {
  return `(SELECT able.id FROM node able WHERE NOT able.dead AND NOT able.draining AND able.reads_format >= h.format
    AND ${ability("able")} > ${ability(node)} ORDER BY ${ability("able")} DESC, able.id DESC LIMIT 1)`;
}

/**
 * The home of a session that this node claims: where one of nobody is, whoever has a root for it; where files travel, whoever
 * has the session, since the next ones are there. A node with log-only access never
 * becomes it, also where it is the owner for now.
 */
export function adopted(node: string): string {
  return `COALESCE(CASE WHEN NOT ${hasAgent(node)} THEN ${HOME} WHEN ${canLayDown(node)} THEN ${node}.daemon
    ELSE COALESCE(${HOME}, CASE WHEN ${hasRoot(node)} THEN ${node}.daemon END) END, '')`;
}

/** Those of nobody may be at whoever has a root for them. */
function hasFiles(node: string): string {
  const isOfNobody = `(${HOME} IS NULL AND ${hasRoot(node)})`;
  const isShared = `(${hasRoot(node, keeps("shared"))} AND ${isAtHome("shared")})`;
  return `(${isOfNobody} OR ${HOME} = ${node}.daemon OR ${isShared} OR ${seesHome(node)})`;
}

/** Whether the session's directory lies in a root that is the very same directory at the node and at home. */
function seesHome(node: string): string {
  const isAtHome = `(SELECT ${hasSameRoot("at_home.labels->'roots'", "root")}
    FROM node at_home WHERE at_home.daemon = ${HOME} ORDER BY at_home.id DESC LIMIT 1)`;
  return `COALESCE(${hasRoot(node, isAtHome)}, false)`;
}

/** Whether the node can lay down what another one has captured. */
function canLayDown(node: string): string {
  return `(${hasRoot(node, keeps("git"))} AND ${isAtHome("git")} AND ${IS_CAPTURED})`;
}

/** One that does not say may have any. */
function hasAgent(node: string): string {
  return `COALESCE(${node}.labels->'agents' ? session.agent, true)`;
}

/** By what its home says of itself, dead or not; one that nobody knows any more does not object. */
function isAtHome(files: FilesOfRoot): string {
  return `COALESCE((SELECT ${hasRoot("at_home", keeps(files))} FROM node at_home
    WHERE at_home.daemon = ${HOME} ORDER BY at_home.id DESC LIMIT 1), true)`;
}

function keeps(files: FilesOfRoot): string {
  return `root->>'files' = '${files}'`;
}

/** Whether the session's directory lies in a root of the node that is `such`. A node that tells no roots shares everything. */
function hasRoot(node: string, such = "true"): string {
  const roots = `CASE WHEN ${node}.labels IS NULL THEN '[{"path": "/", "files": "shared"}]'
    WHEN jsonb_typeof(${node}.labels->'roots') = 'array' THEN ${node}.labels->'roots' ELSE '[]' END`;
  return `EXISTS (SELECT 1 FROM jsonb_array_elements(${roots}) root
    WHERE (session.cwd = root->>'path' OR starts_with(session.cwd, rtrim(root->>'path', '/') || '/')) AND ${such})`;
}
