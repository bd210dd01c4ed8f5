/** What is known of an ACP agent before it starts, whether it is a preset or comes from the config. */
import type { BackendCapabilities } from "../../core/capability.ts";
import type { ProgramPreset } from "../../core/program.ts";
import type { RootOptions } from "../transport/conversation-root.ts";
import type { RemoteAddress } from "../transport/remote/remote-link.ts";

export interface RemoteAgent extends RemoteAddress {
  /** The directory it works in there; that of the session when absent. */
  readonly cwd?: string;
}

export interface AcpAgent {
  /** As clients give it. */
  readonly name: string;
  /** How people call it. */
  readonly title: string;
  /** The program. Without a package it cannot be installed, and the config names the command. */
  readonly program: Pick<ProgramPreset, "executable"> & Partial<ProgramPreset>;
  /** What makes the program speak the protocol. */
  readonly args: readonly string[];
  readonly environmentKeys: readonly string[];
  /** Values its process gets unless somebody says otherwise. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A second program it needs: the variable that names it, and its path relative to the agent's program. */
  readonly companion?: { readonly variable: string; readonly file: string };
  /** Its ways to sign in with a key: the method, and the variable that has the key. The first that is set is taken. */
  readonly keyMethods?: readonly { readonly method: string; readonly variable: string }[];
  /** What to do when nobody is signed in. */
  readonly signIn: string;
  /** Where it is reached if it runs elsewhere; then nothing is started. */
  readonly remote?: RemoteAgent;
  /**
   * What it keeps of a conversation on disk, if that is known: patterns of files, in which `{id}` stands for the id of the
   * conversation and `{id:8}` for its beginning. Never files that other conversations or sign-ins share.
   */
  readonly memory?: RootOptions & { readonly files: readonly string[] };
  /** Where it differs from what ACP agents can do. */
  readonly capabilities?: Partial<BackendCapabilities>;
}

/** The program that can be installed; undefined for an agent from the config. */
export function presetOf({ name, program }: AcpAgent): ProgramPreset | undefined {
  const { executable, package: npmPackage, version } = program;
  if (npmPackage === undefined || version === undefined) return undefined;
  return { agent: name, executable, package: npmPackage, version };
}
