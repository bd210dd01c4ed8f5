/**
 * The model agent opens its program with these types. The rest of its protocol is the wire of our own agents. The first
 * line to the program is `ModelAccess`, which is not recorded, since it holds secrets.
 */
import type { ModelProviders, WebAccess } from "../../core/model-provider.ts";
import type { OwnConfiguration, OwnRequest } from "../own-wire/wire.ts";
import type { ModelOptions } from "./options.ts";

export * from "../own-wire/wire.ts";

export type WirePermissions = "default" | "plan" | "acceptEdits" | "bypass";
export type WireEffort = "default" | "none" | "low" | "medium" | "high";

/** The model is `provider/model`. */
export interface WireConfiguration extends Omit<OwnConfiguration, "mode"> {
  permissions: WirePermissions;
  effort: WireEffort;
}

/** What the program works with and nobody else may see. It is neither in its environment nor among the requests. */
export interface ModelAccess {
  providers: ModelProviders;
  mcpServers: Readonly<Record<string, WireMcpServer>>;
  web?: WebAccess;
  /** The variables that lead to models and searches: addresses and keys. */
  variables: Readonly<Record<string, string>>;
}

export interface OpenParams extends ModelOptions {
  wire: number;
  configuration: Partial<WireConfiguration>;
  /** The only provider there is, for agents that are named after one. */
  provider?: string;
  /** A directory of its own for as long as it runs. */
  directory: string;
  /** Whether the conversation has a title already. */
  hasTitle?: boolean;
  /** A file with the conversation so far. The program removes it. */
  history?: string;
}

export type WireMcpServer =
  | { command: string; args: string[]; env?: Record<string, string> }
  | { type: "http" | "sse"; url: string; headers?: Record<string, string> };

export type WireRequest = OwnRequest<OpenParams, WireConfiguration>;
