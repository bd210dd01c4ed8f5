/** The mock's requests → the commands they carried: the inverse of inbound.ts. Pure. */
import { createDecodeCommands } from "../own-wire/decode-commands.ts";
import { VOCABULARY } from "./vocabulary.ts";

export const decodeCommands = createDecodeCommands(VOCABULARY);
