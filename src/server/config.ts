/** The server's options. */
import type { Logger } from "pino";
import type { NotifyTarget } from "../core/notify-target.ts";
import type { FurtherRoots } from "./directories/allowed-roots.ts";
import type { ServerLimits } from "./limits.ts";

export interface ServerConfig {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Where programs of this machine reach it, of where it listens. The latter when absent. */
  localUrl?: (url: string) => string;
  /** The token clients must send. */
  token: string;
  /** A token that is taken besides. */
  formerToken?: string;
  /** Host names besides the loopback ones, with or without a port. */
  allowedHosts: readonly string[];
  /** Origins of pages that may call from a browser, as `https://example.org`. */
  corsOrigins: readonly string[];
  /** Directories sessions may work in; the first is the default. Never empty. */
  roots: readonly string[];
  furtherRoots?: FurtherRoots;
  defaultAgent: string;
  /** Whether a setting names `defaultAgent`. No when absent. */
  isDefaultAgentConfigured?: boolean;
  /** What this daemon is called beside others. That of the machine when absent. */
  nodeName?: string;
  /** How many agents may run at once. */
  maxLiveAgents?: number;
  /** See `DialectMount.keepRunning`. No when absent. */
  keepRunning?: boolean;
  version: string;
  logger: Logger;
  /** Who is told when something waits or ends. Nobody when absent. */
  notify?: readonly NotifyTarget[];
  limits?: Partial<ServerLimits>;
}
