/** The access token: given by the user, kept from an earlier start, or made now. */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { isUsableToken } from "./check-config.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { IN_MEMORY } from "./data-location.ts";
import { keepPrivateFile, readPrivateFile } from "./private-file.ts";

export interface AccessToken {
  readonly token: string;
  /** Where other programs of the same user find it; absent when the user gave the token itself or nothing is kept. */
  readonly file?: string;
}

export function resolveToken(config: Pick<Config, "token" | "tokenFile" | "data">): AccessToken {
  if (config.token !== undefined) return { token: config.token };
  if (config.tokenFile !== undefined) return fromUsersFile(config.tokenFile);
  if (config.data === IN_MEMORY) return { token: makeToken() };
  const file = join(config.data, "token");
  const token = keepPrivateFile(file, makeToken);
  chmodSync(file, 0o600);
  return checked({ token, file });
}

/** The mode of somebody else's file is theirs: it may be a mounted secret that we only read. */
function fromUsersFile(file: string): AccessToken {
  const token = existsSync(file) ? readPrivateFile(file) : keepPrivateFile(file, makeToken);
  return checked({ token: token ?? "", file });
}

function checked(access: AccessToken & { file: string }): AccessToken {
  if (isUsableToken(access.token)) return access;
  throw new ConfigError(
    `--token-file: ${access.file} holds no token. It needs one line of visible ASCII characters without spaces.`,
  );
}

function makeToken(): string {
  return randomBytes(32).toString("base64url");
}
