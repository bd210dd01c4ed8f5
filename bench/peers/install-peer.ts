/** `npm run bench:peer`: fetches the peer's program. Nothing of it runs before the benchmarks start it. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PEER_DIRECTORY, PEER_PACKAGE, peerProgram } from "./peer.ts";

mkdirSync(PEER_DIRECTORY, { recursive: true });
writeFileSync(join(PEER_DIRECTORY, "package.json"), '{ "private": true }\n');
const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", PEER_PACKAGE];
execFileSync("npm", args, { cwd: PEER_DIRECTORY, stdio: "inherit" });
chmodSync(peerProgram(), 0o755);
