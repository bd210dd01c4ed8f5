/** `npm run start:cluster`: several nodes on this machine, until Ctrl-C. What it starts is in local-cluster.ts. */
import { once } from "node:events";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { print, printNote } from "../src/cli/output.ts";
import { UsageError } from "../src/cli/usage-error.ts";
import { hasPassword, storeSchema } from "../src/config/store-address.ts";
import { startLocalCluster } from "./local-cluster.ts";

const HELP = `Usage: npm run start:cluster -- [options]

Starts PostgreSQL, nodes with data directories of their own and a load balancer, and prints the link of the page.
Ctrl-C ends all of it.

  --nodes NUMBER     How many nodes (2)
  --root DIRECTORY   Where sessions work, the same for all nodes (the current directory)
  --port PORT        Of the load balancer; 0 picks a free one (4111)
  --data DIRECTORY   Where the nodes' data directories and logs are kept (a temporary folder, removed at the end)
  --store ADDRESS    A PostgreSQL database of yours, without a password: that goes into INTERLINGUA_STORE, which
                     is taken without this flag, too (a database for tries, removed at the end)
  --help, -h         Prints this

INTERLINGUA_CLUSTER_SECRET and INTERLINGUA_TOKEN are taken where they are set, else made for this run.`;

const SEE_HELP = "npm run start:cluster -- --help lists the flags.";

/** More are a mistake on one machine. */
const MAX_NODES = 16;
const MAX_PORT = 65_535;

/** Resolves with the exit code, as the command line does: 0 done, 1 failed, 2 called wrongly. */
async function main(words: readonly string[]): Promise<number> {
  try {
    return await run(words);
  } catch (error) {
    const isPlain = !process.env.INTERLINGUA_DEBUG || !(error instanceof Error);
    printNote(isPlain ? String((error as Error)?.message ?? error) : (error.stack ?? error.message));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(words: readonly string[]): Promise<number> {
  const flags = readFlags(words);
  if (flags.help) {
    print(HELP);
    return 0;
  }
  const options = {
    nodes: readNumber("--nodes", flags.nodes, 1, MAX_NODES),
    port: readNumber("--port", flags.port, 0, MAX_PORT),
    root: readDirectory(flags.root),
    store: readStore(flags.store),
    ...(flags.data !== undefined && { data: resolve(flags.data) }),
  };
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  const { INTERLINGUA_CLUSTER_SECRET, INTERLINGUA_TOKEN } = process.env;
  const starting = startLocalCluster({
    ...options,
    environment: {
      ...(INTERLINGUA_CLUSTER_SECRET && { INTERLINGUA_CLUSTER_SECRET }),
      ...(INTERLINGUA_TOKEN && { INTERLINGUA_TOKEN }),
    },
    onEnded: ({ name }, how) =>
      print(`${name} ended (${how}). Start it again with: kill -USR2 ${process.pid}`),
  });
  process.on("SIGUSR2", () =>
    starting
      .then((cluster) => cluster.startEnded())
      .then(
        (started) => print(started.length > 0 ? started.map(describe).join("\n") : "All nodes run."),
        (error: Error) => printNote(error.message),
      ),
  );
  const cluster = await starting;
  print(`${cluster.url}/#token=${cluster.token}`);
  for (const node of cluster.nodes) print(describe(node));
  await stopped;
  await cluster.close();
  return 0;
}

type Started = Awaited<ReturnType<typeof startLocalCluster>>["nodes"][number];

function describe({ name, url, process: child, logFile }: Started): string {
  return `${name}: ${url} (pid ${child.pid}), log ${logFile}`;
}

function readFlags(words: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    const options = { nodes: text, port: text, root: text, data: text, store: text };
    return parseArgs({ args: [...words], options: { ...options, help: { type: "boolean", short: "h" } } })
      .values;
  } catch (error) {
    // The first sentence says which; what follows is about other programs' flags.
    throw new UsageError(`${(error as Error).message.split(". ")[0]!.replace(/\.$/, "")}. ${SEE_HELP}`);
  }
}

const DEFAULTS = { "--nodes": "2", "--port": "4111" } as const;

function readNumber(
  flag: keyof typeof DEFAULTS,
  given: string = DEFAULTS[flag],
  least: number,
  most: number,
) {
  const number = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${flag}: "${given}" is not a number from ${least} to ${most}. ${SEE_HELP}`);
}

function readDirectory(given: string = process.cwd()): string {
  const path = resolve(given);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UsageError(`--root: there is no directory ${path}. Give one that sessions may work in.`);
}

/** Undefined where one for tries is started. */
function readStore(flag: string | undefined): string | undefined {
  if (flag !== undefined && hasPassword(flag))
    throw new UsageError(
      "--store: others can see a password in a flag. Give the address in INTERLINGUA_STORE instead.",
    );
  const store = flag ?? (process.env.INTERLINGUA_STORE?.trim() || undefined);
  const parsed = storeSchema.optional().safeParse(store);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `${flag === undefined ? "INTERLINGUA_STORE" : "--store"}: ${parsed.error.issues[0]!.message}.`,
  );
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
