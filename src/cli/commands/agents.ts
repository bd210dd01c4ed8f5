/** `interlingua agents`: which agents there are and whether they can be used. */
import type { Agent } from "../../sdk/types.ts";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { connectDaemon } from "../connect-daemon.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson, terminalWidth } from "../output.ts";

export const agents: CommandBody = {
  positionals: [],
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const client = await connectDaemon(invocation);
    const known = await client.agents.list();
    const probed = await Promise.all(known.map(({ name }) => client.agents.probe(name)));
    if (invocation.flags.on("json")) printJson(probed);
    else print(toTable(probed));
    return 0;
  },
};

function toTable(probed: readonly Agent[]): string {
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
  );
}

function yesOrNo(value: boolean | undefined): string {
  if (value === undefined) return "unknown";
  return value ? "yes" : "no";
}
