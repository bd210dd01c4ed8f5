/** For tests: a process that installs the test agent, to be killed while it does. Its one argument is JSON. */
import { randomUUID } from "node:crypto";
import { searchPath } from "../core/search-path.ts";
import { createProcessHost } from "../process/local-process-host.ts";
import { createPrograms } from "./local-programs.ts";

const { preset, ...options } = JSON.parse(process.argv[2]!);
const processHost = createProcessHost({ daemonId: randomUUID(), environment: process.env });
await createPrograms({ ...options, processHost, searchPath: searchPath(process.env) }).install(preset);
