/** What the mock says. */
import type { ProgramOutput } from "../../transport/program-output.ts";
import type { WireEvent, WireResponse } from "../wire.ts";

export type Output = ProgramOutput<WireEvent | WireResponse>;
