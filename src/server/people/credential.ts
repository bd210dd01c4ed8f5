/** Tokens and codes of invitations: how they look, and how one is compared with what is stored of it. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";

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

/** Takes the same time for every text, and also where nothing is stored. */
export function isCredential(text: string, stored: string | undefined): boolean {
  const isEqual = timingSafeEqual(Buffer.from(hashOf(text)), Buffer.from(stored ?? NOTHING));
  return isEqual && stored !== undefined;
}

/** As long as a hash. */
const NOTHING = "-".repeat(64);

function hashOf(text: string): string {
  return hash("sha256", text, "hex");
}
