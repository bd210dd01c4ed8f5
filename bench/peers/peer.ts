/** The peer we compare with, and where its program lies once `npm run bench:peer` has fetched it. */
import { resolve } from "node:path";

const VERSION = "0.4.2";

export const PEER_NAME = `sandbox-agent ${VERSION}`;
export const PEER_PACKAGE = `@sandbox-agent/cli@${VERSION}`;
export const PEER_DIRECTORY = resolve(import.meta.dirname, "../../node_modules/.cache/bench-peer");

export function peerProgram(): string {
  const platform = `cli-${process.platform}-${process.arch}`;
  return resolve(PEER_DIRECTORY, "node_modules/@sandbox-agent", platform, "bin/sandbox-agent");
}
