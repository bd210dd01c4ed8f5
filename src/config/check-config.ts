/** Checks settings against each other before a daemon starts with them. */
import { existsSync, statSync } from "node:fs";
import { isLoopback } from "./bind-address.ts";
import { assertTokenStrength, isUsableToken } from "./check-token.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { IN_MEMORY } from "./data-location.ts";

/** Throws a ConfigError that says what to change. */
export function checkConfig(config: Config): void {
  if (config.data !== IN_MEMORY && existsSync(config.data) && !isDirectory(config.data)) {
    throw new ConfigError(`--data: ${config.data} is not a directory. Give another one.`);
  }
  checkToken(config);
  checkReach(config);
  checkAgentSmithy(config);
  for (const root of config.roots) {
    if (!isDirectory(root)) {
      throw new ConfigError(`--root: ${root} is not a directory. Make it or give another one.`);
    }
  }
}

function checkToken({ token }: Config): void {
  if (token !== undefined && !isUsableToken(token)) {
    throw new ConfigError(
      "INTERLINGUA_TOKEN: the token may hold only visible ASCII characters and no spaces. Choose another one.",
    );
  }
}

/** Whoever reaches the API runs code on this machine, so being reachable is never an accident. */
function checkReach({ host, token, tokenFile, allowHosts }: Config): void {
  if (isLoopback(host)) return;
  const reason = `--host: ${host} can be reached from other machines.`;
  if (token === undefined && !(tokenFile !== undefined && existsSync(tokenFile))) {
    throw new ConfigError(
      `${reason} Give a token of your own: INTERLINGUA_TOKEN, or an existing file with --token-file.`,
    );
  }
  // A file's content is checked where it is read.
  if (token !== undefined) assertTokenStrength("INTERLINGUA_TOKEN", token, host);
  if (allowHosts.length === 0) {
    throw new ConfigError(`${reason} Name the host it is called by: --allow-host box.example.com:4111.`);
  }
}

function checkAgentSmithy(config: Config): void {
  const { agentsmithyPort, agentsmithyWorkspace } = config;
  if (agentsmithyWorkspace === undefined) return;
  if (!isDirectory(agentsmithyWorkspace))
    throw new ConfigError(
      `--agentsmithy-workspace: ${agentsmithyWorkspace} is not a directory. Make it or give another one.`,
    );
  if (agentsmithyPort === undefined)
    throw new ConfigError(
      "--agentsmithy-workspace: it is for the port of AgentSmithy. Give that, too: --agentsmithy-port 8765.",
    );
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
