/** `interlingua db copy FROM TO`: moves sessions from a data directory into a database, or back. */
import { resolve } from "node:path";
import { readDaemonId } from "../../config/daemon-id.ts";
import { hasPassword, storeName, storeSchema } from "../../config/store-address.ts";
import { isDaemonRunning } from "../../process/daemon-running.ts";
import type { CopyPlace } from "../../store/copy-between.ts";
import { type CommandBody, type Invocation, JSON_OPTION } from "../command.ts";
import { print, printJson, printNote } from "../output.ts";
import { UsageError } from "../usage-error.ts";

/** How often it says how far it is. */
const TELL_EVERY_MS = 5000;

export const databaseCopy: CommandBody = {
  positionals: ["FROM", "TO"],
  details: [
    "FROM and TO are each a data directory or the address of a PostgreSQL database, without a password: one",
    "that INTERLINGUA_STORE or the config file has for the same database is taken from there. Everything",
    "stored is copied: events, raw records, messages, asks, usage, tokens, invitations, the audit log. TO has",
    "to be empty; what a copy left that was not finished is removed. The copy is read once. Exit code 0 when",
    "it is whole, else 1. FROM is not changed. No daemon may run on either. Checkpoints, the token of the",
    "daemon and its agents stay in the data directory.",
  ].join("\n"),
  options: { ...JSON_OPTION },
  async run(invocation) {
    const [from, to] = invocation.positionals as [string, string];
    const places = { from: await placeOf("FROM", from, invocation), to: await placeOf("TO", to, invocation) };
    const names = { from: nameOf(places.from), to: nameOf(places.to) };
    if (names.from === names.to) throw new UsageError("TO: it is the same as FROM. Name another place.");
    const { copyBetween } = await import("../../store/copy-between.ts");
    let toldAt = performance.now();
    const { sessions, events } = await copyBetween({
      ...places,
      isOwnerRunning: (directory) => (named) => isDaemonRunning(named, readDaemonId(directory)),
      onProgress(done) {
        if (performance.now() - toldAt < TELL_EVERY_MS) return;
        toldAt = performance.now();
        printNote(`copied ${done} sessions`);
      },
      onCheck: () => printNote("reading the copy to see that it is whole"),
    });
    if (invocation.flags.on("json")) printJson({ ...names, sessions, events });
    else print(`${names.to} is whole (sessions: ${sessions}, events: ${events})`);
    return 0;
  },
};

async function placeOf(name: string, given: string, { environment, cwd }: Invocation): Promise<CopyPlace> {
  if (!/^postgres(ql)?:/.test(given)) return { directory: resolve(cwd, given) };
  if (hasPassword(given))
    throw new UsageError(
      `${name}: others can see a password in an argument. Leave it out, and give the address with it in INTERLINGUA_STORE.`,
    );
  const parsed = storeSchema.safeParse(given);
  if (!parsed.success) throw new UsageError(`${name}: ${parsed.error.issues[0]!.message}`);
  const { resolveConfig } = await import("../../config/resolve-config.ts");
  const { store } = resolveConfig({ flags: {}, environment, cwd });
  return { url: store !== undefined && storeName(store) === storeName(given) ? store : given };
}

function nameOf(place: CopyPlace): string {
  return "url" in place ? storeName(place.url) : place.directory;
}
