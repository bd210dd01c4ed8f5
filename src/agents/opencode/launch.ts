/** How `opencode serve` is started: for one provider, with its keys and no others. */
import { randomBytes } from "node:crypto";
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram } from "../../core/program.ts";
import type { HostSpawnOptions } from "../../process/process-host.ts";
import type { Address } from "./http-call.ts";
import { CONFIGURATION_KEYS, PROVIDER_KEYS } from "./manifest.ts";
import { nativeMcpServers } from "./mcp-servers.ts";

export type ServerLaunch = HostSpawnOptions & Pick<Address, "authorization">;

export interface LaunchOptions {
  readonly program: FoundProgram;
  readonly connect: ConnectOptions;
  /** The model of the session; undefined to ask what the user's configuration has chosen. */
  readonly model?: string;
  /** Where it is started; sessions name their own directories. */
  readonly cwd: string;
  /** The environment its processes begin with. Secret: for looking, not for logging. */
  readonly environment: NodeJS.ProcessEnv;
}

const USER = "opencode";

/** Two sessions with the same key can share a server: what it is started with is the same. */
export function serverKey({ program, connect, model }: LaunchOptions): string {
  const { environment, mcpServers, hasCheckpoints = false } = connect;
  return JSON.stringify([
    program,
    providerOf(model),
    sorted(environment),
    sorted(mcpServers),
    hasCheckpoints,
  ]);
}

export function launch({ program, connect, model, cwd, environment }: LaunchOptions): ServerLaunch {
  const password = randomBytes(32).toString("base64url");
  const provider = providerOf(model);
  const given = connect.environment?.OPENCODE_CONFIG_CONTENT ?? environment.OPENCODE_CONFIG_CONTENT;
  return {
    command: program.command,
    args: program.args,
    cwd,
    keys: [...CONFIGURATION_KEYS, ...(provider === undefined ? [] : (PROVIDER_KEYS[provider] ?? []))],
    environment: {
      ...connect.environment,
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        ...readConfiguration(given),
        ...configuration(connect, provider, model),
      }),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_SERVER_USERNAME: USER,
      OPENCODE_SERVER_PASSWORD: password,
    },
    authorization: `Basic ${Buffer.from(`${USER}:${password}`).toString("base64")}`,
  };
}

/** `openrouter/anthropic/claude` is a model of openrouter. */
function providerOf(model: string | undefined): string | undefined {
  return model?.split("/")[0];
}

/**
 * What nobody chose cannot be called: only the provider of the chosen model is there, and titles are made with that
 * model too. Without a choice there is none, and the server is only asked for its configuration.
 */
function configuration(connect: ConnectOptions, provider: string | undefined, model: string | undefined) {
  const mcp = nativeMcpServers(connect);
  return {
    autoupdate: false,
    // With it a rewind would move files too, by rules of its own.
    ...(connect.hasCheckpoints && { snapshot: false }),
    enabled_providers: provider === undefined ? [] : [provider],
    ...(model !== undefined && { small_model: model }),
    ...(mcp && { mcp }),
  };
}

function readConfiguration(text: string | undefined): object {
  if (text === undefined || text === "") return {};
  try {
    return JSON.parse(text) as object;
  } catch {
    throw new InterlinguaError(
      "invalid_request",
      "OPENCODE_CONFIG_CONTENT is not JSON. Correct it or leave it out.",
    );
  }
}

function sorted(values: Readonly<Record<string, unknown>> | undefined): unknown {
  return Object.entries(values ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
}
