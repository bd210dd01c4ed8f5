/** Says which programs are missing, before the tests that need them are skipped. */
import { findSystemProgram, SYSTEM_PROGRAMS } from "./system-program.ts";

export default function report(): void {
  for (const name of SYSTEM_PROGRAMS)
    if (findSystemProgram(name) === undefined) console.log(`not run: ${name} is not installed`);
}
