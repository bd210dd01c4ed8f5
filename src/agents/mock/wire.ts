/** The mock opens its program with these types. The rest of its protocol is the wire of our own agents. */
import type { OwnConfiguration, OwnRequest } from "../own-wire/wire.ts";
import type { MockOptions } from "./options.ts";

export * from "../own-wire/wire.ts";

export type WirePermissions = "ask" | "plan" | "allow-edits" | "allow-all";

export interface WireConfiguration extends OwnConfiguration {
  mode: string;
  permissions: WirePermissions;
}

export interface OpenParams extends MockOptions {
  wire: number;
  /** The conversation to resume; a new one when absent. */
  conversation?: string;
  configuration: Partial<WireConfiguration>;
  /** Names of environment variables whose values it must not write to its own files. */
  secretNames?: string[];
}

export type WireRequest = OwnRequest<OpenParams, WireConfiguration>;
