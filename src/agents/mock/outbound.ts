/** The mock's lines → drafts. Pure. */
import { createOutbound } from "../own-wire/outbound.ts";
import { VOCABULARY } from "./vocabulary.ts";

export const outbound = createOutbound(VOCABULARY);
