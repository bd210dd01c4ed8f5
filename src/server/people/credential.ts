/** Tokens and codes of invitations: how they look and how they are made. */
import { randomBytes } from "node:crypto";
import { hashOf } from "./compare-tokens.ts";

/** `itk` for tokens, `inv` for invitations. */
export type CredentialKind = "itk" | "inv";

export interface Credential {
  /** Part of the text, and no secret. */
  id: string;
  /** What its holder shows. It is told once and kept nowhere. */
  text: string;
  hash: string;
}

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const SHAPE = /^(itk|inv)_([0-9a-f]{16})_[\w-]{43}$/;

export function createCredential(kind: CredentialKind): Credential {
  const id = randomBytes(ID_BYTES).toString("hex");
  const text = `${kind}_${id}_${randomBytes(SECRET_BYTES).toString("base64url")}`;
  return { id, text, hash: hashOf(text) };
}

/** The id in a token or a code; undefined for anything else. */
export function credentialId(kind: CredentialKind, text: string): string | undefined {
  const [, shown, id] = SHAPE.exec(text) ?? [];
  return shown === kind ? id : undefined;
}
