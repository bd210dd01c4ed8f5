/** The agent's words for its settings, mapped to ours: its permissions are our permission modes. */
import type { OwnVocabulary } from "../own-wire/vocabulary.ts";
import { inMode } from "../transport/shared-modes.ts";
import { EFFORTS } from "./manifest.ts";

export const VOCABULARY: OwnVocabulary = {
  beginsTurns: false,
  efforts: EFFORTS,
  modesOf: ({ permissions }) => inMode(permissions),
};
