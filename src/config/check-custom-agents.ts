/** Checks the settings of custom agents by themselves, before anything of them is run. None is ignored silently. */
import { isAbsolute } from "node:path";
import { isLoopback } from "../core/is-loopback.ts";
import type { AgentConfig } from "./agent-config.ts";
import { ConfigError } from "./config-error.ts";

/** Throws a ConfigError that names the setting. */
export function checkCustomAgents(agents: Readonly<Record<string, AgentConfig>>): void {
  for (const [name, settings] of Object.entries(agents))
    if (settings.protocol !== undefined || settings.module !== undefined) checkCustomAgent(name, settings);
}

/** What each kind of custom agent has no use for, and why. */
const UNUSABLE = {
  module: {
    why: "the module runs the agent itself",
    keys: ["protocol", "command", "install", "url", "headers", "cwd"],
  },
  remote: {
    why: "the agent runs elsewhere, and nothing is started here",
    keys: ["command", "install", "env", "options"],
  },
  local: { why: "it is for agents that run elsewhere, with a url", keys: ["headers", "cwd"] },
} as const;

function checkCustomAgent(name: string, settings: AgentConfig): void {
  const { module, url, command } = settings;
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(name)) {
    throw new ConfigError(`agents.${name}: use up to 64 letters, digits, dots, underscores or hyphens.`);
  }
  const { why, keys } = UNUSABLE[module !== undefined ? "module" : url !== undefined ? "remote" : "local"];
  const unusable = keys.find((key) => settings[key] !== undefined);
  if (unusable) throw new ConfigError(`agents.${name}.${unusable}: ${why}. Take the setting out.`);
  if (module !== undefined) {
    if (isAbsolute(module)) return;
    throw new ConfigError(
      `agents.${name}.module: ${module} is no absolute path. Outside a config file give one.`,
    );
  }
  if (url !== undefined) return checkRemoteAgent(name, url, settings);
  if (command === undefined) {
    throw new ConfigError(
      `agents.${name}.command: an agent with a protocol needs its command, as in ["my-agent", "--acp"], or its url.`,
    );
  }
  const foreign = (["install", "options"] as const).find((key) => settings[key] !== undefined);
  if (foreign === "install") {
    throw new ConfigError(
      `agents.${name}.install: only agents that come with Interlingua can be installed. Take the setting out.`,
    );
  }
  if (foreign) throw new ConfigError(`agents.${name}.options: only a module takes options. Take them out.`);
}

/** Whoever can read or change what goes over the line runs commands there, and may get keys from here. */
function checkRemoteAgent(name: string, given: string, { headers, cwd }: AgentConfig): void {
  const refuse = (key: string, reason: string) => new ConfigError(`agents.${name}.${key}: ${reason}`);
  const url = URL.parse(given);
  if (!url || !["wss:", "ws:", "tcp:"].includes(url.protocol))
    throw refuse("url", "give an address such as wss://host/path or tcp://127.0.0.1:9000.");
  if (url.username || url.password)
    throw refuse("url", "an address is shown to people. Give user and password in headers, with $NAME.");
  const isSocket = url.protocol !== "tcp:";
  if (!isSocket && !url.port) throw refuse("url", "tcp:// needs a port, as in tcp://127.0.0.1:9000.");
  if (!isSocket && (url.pathname.length > 1 || url.search))
    throw refuse("url", "tcp:// has no path. Give only the host and the port.");
  if (url.protocol !== "wss:" && !isLoopback(url.hostname.replace(/^\[|\]$/g, "")))
    throw refuse(
      "url",
      `${url.protocol}// is not encrypted and leaves this machine. Use wss://, or a tunnel that ends on 127.0.0.1.`,
    );
  if (!isSocket && headers)
    throw refuse("headers", "tcp:// has no headers. Take them out, or use a WebSocket.");
  if (cwd !== undefined && !/^(\/|[A-Za-z]:\\)/.test(cwd))
    throw refuse("cwd", "give an absolute path on the machine of the agent.");
}
