/** `interlingua open [SESSION]`: the page in the browser. */
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { findDaemon } from "../find-daemon.ts";
import { openInBrowser } from "../open-in-browser.ts";
import { print, printJson, printNote } from "../output.ts";
import { pageLink } from "../page-link.ts";
import { connectSession } from "../resolve-session.ts";

export const open: CommandBody = {
  positionals: ["[SESSION]"],
  details: [
    "The browser gets the token through a private file, which is removed a minute later, never as an argument.",
    "BROWSER names another program than xdg-open or open, none opens nothing. Else the link is printed.",
  ].join("\n"),
  options: {
    print: { type: "boolean", help: "Print the link, with its token, and open nothing" },
    ...JSON_OPTION,
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const { flags, environment, positionals } = invocation;
    const session = positionals.length > 0 ? await connectSession(invocation) : undefined;
    const daemon = await findDaemon(invocation);
    const url = pageLink(daemon, session?.id);
    const opened = !flags.on("print") && (await openInBrowser(url, { environment }));
    if (flags.on("json")) printJson({ url, opened });
    else if (opened) printNote(`${daemon.url} is open in the browser.`);
    else {
      if (!flags.on("print") && environment.BROWSER?.trim() !== "none") printNote(noBrowser(daemon.url));
      print(url);
    }
    return 0;
  },
};

function noBrowser(url: string): string {
  const { hostname, port } = new URL(url);
  const isHere = hostname === "127.0.0.1" || hostname === "localhost";
  const tunnel = isHere
    ? `, from another machine through \`ssh -L ${port}:${hostname}:${port} THIS-MACHINE\``
    : "";
  return `No browser could be opened here. Open this link yourself${tunnel}:`;
}
