/** Who gives the commands in tests and benchmarks. */
import { principal } from "../core/principal.ts";

export const TESTER = principal("owner", "test");
