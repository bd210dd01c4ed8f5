/** Checks settings against each other before a daemon starts with them. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { isInside, overlap } from "../core/is-inside.ts";
import { isLoopback } from "../core/is-loopback.ts";
import { assertTokenStrength, isUsableToken } from "./check-token.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { IN_MEMORY } from "./data-location.ts";
import { nodeAddress } from "./node-address.ts";

/** Throws a ConfigError that says what to change. */
export function checkConfig(config: Config): void {
  if (config.data !== IN_MEMORY && existsSync(config.data) && !isDirectory(config.data)) {
    throw new ConfigError(`--data: ${config.data} is not a directory. Give another one.`);
  }
  if (config.data === IN_MEMORY && config.store !== undefined) {
    throw new ConfigError(
      "--store: with --data :memory: nothing is kept. Leave --store out, or give a directory with --data.",
    );
  }
  checkCluster(config);
  if (config.clusterSecret !== undefined) nodeAddress(config);
  checkToken("INTERLINGUA_TOKEN", config.token);
  checkToken("INTERLINGUA_FORMER_TOKEN", config.formerToken);
  checkReach(config);
  for (const root of config.roots) {
    if (!isDirectory(root)) {
      const flag =
        root === config.agentsmithyWorkspace
          ? "--agentsmithy-workspace"
          : config.sharedRoots.includes(root)
            ? "--shared-root"
            : config.gitRoots.includes(root)
              ? "--git-root"
              : "--root";
      throw new ConfigError(`${flag}: ${root} is not a directory. Make it or give another one.`);
    }
  }
  checkSharedRoots(config);
  checkGitRoots(config);
  checkAgentsmithyWorkspace(config);
}

/** What nodes share, and what must be each one's own. */
function checkSharedRoots({ clusterSecret, data, roots, sharedRoots, checkpointDirectory }: Config): void {
  if (sharedRoots.length > 0 && clusterSecret === undefined) {
    throw new ConfigError(
      "--shared-root: other nodes of a cluster have this directory, too, but without INTERLINGUA_CLUSTER_SECRET there are none. Give it with --root.",
    );
  }
  for (const root of sharedRoots) {
    if (isInside(realPath(data), realPath(root))) {
      throw new ConfigError(
        `--shared-root: ${root} holds the data directory ${data}, which belongs to this node alone. Move one of them.`,
      );
    }
  }
  if (checkpointDirectory === undefined) return;
  const refuse = (reason: string) => new ConfigError(`--checkpoint-directory: ${reason}`);
  if (sharedRoots.length === 0) {
    throw refuse("it is for checkpoints of shared roots, and there are none. Name them with --shared-root.");
  }
  if (!isDirectory(checkpointDirectory)) {
    throw refuse(`${checkpointDirectory} is not a directory. Make it, for all nodes, or give another one.`);
  }
  const real = realPath(checkpointDirectory);
  const around = [...roots, data].find((place) => isInside(real, realPath(place)));
  if (around !== undefined) {
    throw refuse(
      `${checkpointDirectory} lies in ${around}. Checkpoints hold what files hold: give one outside roots and data directory.`,
    );
  }
}

/** Each node has its own there, of what others have, too. */
function checkGitRoots({ clusterSecret, data, sharedRoots, gitRoots }: Config): void {
  const refuse = (reason: string) => new ConfigError(`--git-root: ${reason}`);
  if (gitRoots.length > 0 && clusterSecret === undefined) {
    throw refuse(
      "other nodes of a cluster have clones there, too, but without INTERLINGUA_CLUSTER_SECRET there are none. Give it with --root.",
    );
  }
  for (const root of gitRoots) {
    if (isInside(realPath(data), realPath(root))) {
      throw refuse(`${root} holds the data directory ${data}. Move one of them.`);
    }
    const shared = sharedRoots.find((each) => overlap(realPath(each), realPath(root)));
    if (shared !== undefined) {
      throw refuse(
        `${root} and the shared root ${shared} lie in each other. A directory is one or the other.`,
      );
    }
  }
}

/** Also of what is not there yet. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function checkAgentsmithyWorkspace({ agentsmithyPort, agentsmithyWorkspace, roots }: Config): void {
  if (agentsmithyWorkspace === undefined) return;
  const refuse = (reason: string) => new ConfigError(`--agentsmithy-workspace: ${reason}`);
  if (agentsmithyPort === undefined) {
    throw refuse("it is the directory of a port that is not opened. Give --agentsmithy-port 8765, too.");
  }
  if (!isDirectory(agentsmithyWorkspace)) {
    throw refuse(`${agentsmithyWorkspace} is not a directory. Make it or give another one.`);
  }
  const real = realpathSync(agentsmithyWorkspace);
  if (roots.some((root) => isInside(real, realpathSync(root)))) return;
  throw refuse(
    `${agentsmithyWorkspace} lies outside the directories this daemon may work in: ${roots.join(", ")}. ` +
      `Add it with --root ${agentsmithyWorkspace}, or give one inside.`,
  );
}

/** Whoever has it can do everything on every node. */
const MIN_SECRET_BYTES = 32;

function checkCluster({ clusterSecret, store }: Config): void {
  if (clusterSecret === undefined) return;
  const refuse = (reason: string) => new ConfigError(`INTERLINGUA_CLUSTER_SECRET: ${reason}`);
  if (store === undefined) {
    throw refuse("nodes share a PostgreSQL database. Name it in INTERLINGUA_STORE, or leave the secret out.");
  }
  if (Buffer.byteLength(clusterSecret) < MIN_SECRET_BYTES) {
    throw refuse(`it must have ${MIN_SECRET_BYTES} bytes at least. Make one: openssl rand -hex 32`);
  }
}

function checkToken(name: string, token: string | undefined): void {
  if (token !== undefined && !isUsableToken(token)) {
    throw new ConfigError(
      `${name}: the token may hold only visible ASCII characters and no spaces. Choose another one.`,
    );
  }
}

/** Whoever reaches the API runs code on this machine, so being reachable is never an accident. */
function checkReach({ host, token, formerToken, tokenFile, allowHosts }: Config): void {
  if (isLoopback(host)) return;
  const reason = `--host: ${host} can be reached from other machines.`;
  if (token === undefined && !(tokenFile !== undefined && existsSync(tokenFile))) {
    throw new ConfigError(
      `${reason} Give a token of your own: INTERLINGUA_TOKEN, or an existing file with --token-file.`,
    );
  }
  // A file's content is checked where it is read.
  if (token !== undefined) assertTokenStrength("INTERLINGUA_TOKEN", token, host);
  if (formerToken !== undefined) assertTokenStrength("INTERLINGUA_FORMER_TOKEN", formerToken, host);
  if (allowHosts.length === 0) {
    throw new ConfigError(`${reason} Name the host it is called by: --allow-host box.example.com:4111.`);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
