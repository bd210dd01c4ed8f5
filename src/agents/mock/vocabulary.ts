/** The mock's words for its settings, mapped to ours. */
import type { OwnVocabulary } from "../own-wire/vocabulary.ts";
import { EFFORTS, PERMISSIONS } from "./manifest.ts";

export const VOCABULARY: OwnVocabulary = {
  beginsTurns: true,
  efforts: EFFORTS,
  modesOf: ({ mode, permissions }) => ({
    mode,
    permissionMode: Object.entries(PERMISSIONS).find(([, native]) => native === permissions)?.[0],
  }),
};
