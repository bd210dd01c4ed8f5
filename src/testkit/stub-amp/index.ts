/** A stand-in for Amp's command line, of any version whose `--help` is at hand. */
import { ownProgram } from "../../package-root.ts";

export interface StubAmpOptions {
  /** The `--help` of the version: a flag that is not in it is refused. */
  readonly help: string;
  /** Where threads are kept. */
  readonly threads: string;
  /** Where recordings are; `[[name]]` in a prompt plays one. */
  readonly recordings: string;
  /** It still takes `--dangerously-allow-all` where its help does not tell. */
  readonly allowsAll?: boolean;
}

const PROGRAM = ownProgram("testkit/stub-amp/main");

/** @example const programs = { find: async () => ({ ...stubAmp({ help, threads, recordings }), from: "config" }) }; */
export function stubAmp(options: StubAmpOptions): { command: string; args: readonly string[] } {
  return { command: process.execPath, args: [PROGRAM, JSON.stringify(options)] };
}
