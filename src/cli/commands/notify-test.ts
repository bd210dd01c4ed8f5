/** `interlingua notify test`: sends a test to the targets of `notify` in the config file, as a daemon would. */
import type { NotifyTarget } from "../../core/notify-target.ts";
import { type CommandBody, JSON_OPTION } from "../command.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import { SERVE_OPTIONS } from "../serve-options.ts";

export const notifyTest: CommandBody = {
  positionals: [],
  details: [
    "Reads the settings of serve and needs no daemon. Each target gets one request, which is not repeated.",
    "Exit code 1 when one of them did not take it.",
  ].join("\n"),
  options: { ...JSON_OPTION, ...SERVE_OPTIONS },
  async run({ flags, environment, cwd }) {
    const { resolveConfig } = await import("../../config/resolve-config.ts");
    const { notifyTargets } = await import("../../config/notify-targets.ts");
    const config = resolveConfig({ flags: flags.values, environment, cwd });
    const results = await Promise.all(notifyTargets(config.notify, environment).map(test));
    if (flags.on("json")) printJson(results);
    else if (results.length > 0) print(toTable(results));
    else printNote('Nobody is notified: the config file has no "notify". See docs/guides/notifications.md.');
    return results.every(({ state }) => state === "delivered") ? 0 : 1;
  },
};

interface Result {
  /** Without the path, which may be a password. */
  readonly target: string;
  readonly format: string;
  readonly state: "delivered" | "failed";
  readonly detail: string;
}

async function test(target: NotifyTarget): Promise<Result> {
  const { sendNotification } = await import("../../server/notify/send-notification.ts");
  const outcome = await sendNotification(target, {
    ...{ event: "test", at: Date.now(), session: "test", agent: "interlingua" },
  });
  const about = { target: target.url.origin, format: target.format };
  return outcome.state === "delivered"
    ? { ...about, state: "delivered", detail: `answered ${outcome.status}` }
    : { ...about, state: "failed", detail: outcome.reason };
}

function toTable(results: readonly Result[]): string {
  return formatTable(
    ["TARGET", "FORMAT", "STATE", "DETAIL"],
    results.map(({ target, format, state, detail }) => [target, format, state, detail]),
    terminalWidth(),
  );
}
