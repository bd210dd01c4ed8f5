/** `interlingua agents`: which agents there are and whether they can be used. */
import type { Agent } from "../../sdk/types.ts";
import { CLIENT_OPTIONS, type CommandBody, type Invocation, JSON_OPTION } from "../command.ts";
import { connectDaemon } from "../connect-daemon.ts";
import { explainDaemonLacks } from "../explain-daemon-lacks.ts";
import { NoDaemonError } from "../find-daemon.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import { HOW_TO_INSTALL, probeAll, probeHere, splitMissing } from "../probe-agents.ts";
import { wrapText } from "../word-wrap.ts";

type Probed = Pick<Agent, "name" | "status">;

export const agents: CommandBody = {
  positionals: [],
  details:
    "As the running daemon sees them, which has the PATH and the variables it was started with; without one, as\n" +
    "a daemon started from here would.",
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const probed = await probe(invocation);
    if (invocation.flags.on("json")) printJson(probed);
    else print(toText(probed));
    return 0;
  },
};

async function probe(invocation: Invocation): Promise<readonly Probed[]> {
  try {
    const probed = await probeAll(await connectDaemon(invocation));
    const statuses = new Map(probed.map(({ name, status }) => [name, status]));
    const lacks = await explainDaemonLacks(invocation, [...statuses.keys()], (name) => statuses.get(name));
    if (lacks !== undefined) printNote(lacks);
    return probed;
  } catch (error) {
    if (!(error instanceof NoDaemonError)) throw error;
    printNote(`No daemon runs on ${error.directory}; this is what one started from here would find.`);
    return probeWithoutDaemon(invocation);
  }
}

async function probeWithoutDaemon({ flags, environment, cwd }: Invocation): Promise<readonly Probed[]> {
  const { resolveConfig } = await import("../../config/resolve-config.ts");
  // All agents are loaded only here.
  const { openAllAgents } = await import("../open-agents.ts");
  const opened = await openAllAgents(resolveConfig({ flags: flags.values, environment, cwd }), environment);
  return probeHere(opened).finally(() => opened.close());
}

function toText(probed: readonly Probed[]): string {
  const { present, missing } = splitMissing(probed);
  if (missing.length === 0) return toTable(present);
  const names = `Not installed: ${missing.join(", ")}`;
  return [toTable(present), "", wrapText(names, terminalWidth()), HOW_TO_INSTALL].join("\n");
}

function toTable(probed: readonly Probed[]): string {
  return formatTable(
    ["NAME", "INSTALLED", "VERSION", "SIGNED IN", "REMEDY"],
    probed.map(({ name, status }) => [
      name,
      yesOrNo(status?.installed),
      status?.version ?? "-",
      yesOrNo(status?.signedIn),
      status?.remedy ?? "",
    ]),
    terminalWidth(),
    "wrap",
  );
}

function yesOrNo(value: boolean | undefined): string {
  if (value === undefined) return "unknown";
  return value ? "yes" : "no";
}
