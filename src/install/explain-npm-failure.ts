/** Says in plain words why npm could not install, and what to do. */
import { InterlinguaError } from "../core/error.ts";
import type { AgentExit } from "../process/process-host.ts";

const UNREACHABLE =
  "the npm registry cannot be reached. Check the network, and registry and proxy in npm's own configuration (npm config list)";

/** By the code npm gives. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ERR_SOCKET_TIMEOUT: UNREACHABLE,
  ENOTCACHED:
    "npm is set to work offline and its cache does not hold the package. Unset offline in npm's configuration",
  ENOSPC:
    "the disk is full. Free some space, in the data directory's file system and in npm's cache (npm cache clean --force)",
  EDQUOT: "your disk quota is used up. Free some space, also in npm's cache (npm cache clean --force)",
  EINTEGRITY:
    "what was downloaded is not what was published. Run npm cache verify; if it stays so, do not trust the registry npm is configured with",
  E401: "the npm registry wants you to sign in. Use npm login, or check the token in npm's configuration",
  E403: "the npm registry refuses the package. Ask whoever runs it, or choose another in npm's configuration",
  E404: "the npm registry does not have the package. Check which one npm is configured with (npm config get registry)",
  ETARGET:
    "the npm registry does not have this version, or npm's configuration keeps new versions out (npm config get before min-release-age)",
  EBADPLATFORM:
    "the package is not made for this machine. Install the agent in another way and name it in the config file",
  EACCES: "npm may not write where it has to. Check who owns npm's cache (npm config get cache)",
  EPERM: "npm may not write where it has to. Check who owns npm's cache (npm config get cache)",
  SELF_SIGNED_CERT_IN_CHAIN:
    "the certificate of the npm registry is not trusted. Name your authority in cafile in npm's configuration",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "the certificate of the npm registry is not trusted. Name your authority in cafile in npm's configuration",
};

/** npm's prefix changed with version 10. */
const PREFIX = /^npm (?:ERR!|error) ?/;

export function explainNpmFailure(stderr: string, exit: AgentExit): InterlinguaError {
  const lines = stderr.split("\n").filter((line) => PREFIX.test(line));
  const said = lines.map((line) => line.replace(PREFIX, "").trim());
  const code = said.find((line) => line.startsWith("code "))?.slice("code ".length);
  const reason = (code && REASONS[code]) ?? unknownReason(said, exit);
  return new InterlinguaError("install_failed", `Nothing was installed: ${reason}.`);
}

function unknownReason(said: readonly string[], { code, signal }: AgentExit): string {
  const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
  const words = said.filter(
    (line) => line !== "" && !/^(code|errno|syscall) |complete log|^A complete/.test(line),
  );
  if (words.length === 0) return `npm ${how} and did not say why. Try again`;
  return `npm ${how} and said: ${words.slice(0, 3).join(" ").slice(0, 500).replace(/\.$/, "")}`;
}
