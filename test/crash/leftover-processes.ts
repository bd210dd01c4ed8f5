/** Which processes still carry the mark of a data directory's daemon. */
import { readdir, readFile } from "node:fs/promises";
import { readDaemonId } from "../../src/config/daemon-id.ts";

export async function leftoverProcesses(data: string): Promise<string[]> {
  const id = readDaemonId(data);
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const environment = await readFile(`/proc/${pid}/environ`, "utf8");
      if (environment.includes(`INTERLINGUA_OWNER=${id}`)) found.push(pid);
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}
