/** `interlingua nodes`: which daemons share the sessions, and how busy they are. */
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { connectDaemon } from "../connect-daemon.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson } from "../output.ts";

export const nodes: CommandBody = {
  positionals: [],
  details: [
    "A daemon that shares its sessions with nobody is one node. The one that answers has a star. A node is",
    "draining when it was told to go, frozen when it is silent, and dead when others may have its sessions. One",
    "that is unready lives, but clients should not be sent to it; the list says why.",
    "The address for nodes is where others reach it; clients call the one that serve printed.",
  ].join("\n"),
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const client = await connectDaemon(invocation);
    const list = await client.nodes.list();
    if (invocation.flags.on("json")) printJson(list);
    else {
      print(
        formatTable(
          ["NODE", "NAME", "STATE", "SESSIONS", "AGENTS", "ADDRESS FOR NODES"],
          list.map(({ id, name, state, sessions, agents, maxAgents, url, self }) => [
            `${id}${self ? " *" : ""}`,
            name,
            state,
            String(sessions),
            state === "dead" ? "" : `${agents} of ${maxAgents}`,
            url ?? "",
          ]),
        ),
      );
      for (const { id, problem } of list) if (problem !== undefined) print(`\nNode ${id}: ${problem}`);
    }
    return 0;
  },
};
