/** What can be done anywhere on the page, and with the session that is shown. */
import { flushSync } from "react-dom";
import { useAccess } from "../access/use-access.tsx";
import { go, type SidePanel } from "../route.ts";
import { openStart, START_FIELD } from "../start/choose-agent.ts";
import { useLook } from "../ui/theme.ts";
import { useCommand } from "./use-command.tsx";

export interface WorkspaceCommands {
  /** The session that is shown. */
  session: string | undefined;
  panel: SidePanel | undefined;
  toggleSidebar: () => void;
  open: (overlay: "asks" | "palette" | "shortcuts" | "phone" | "invite") => void;
}

export function useWorkspaceCommands({ session, panel, toggleSidebar, open }: WorkspaceCommands): void {
  const { can } = useAccess();
  const look = useLook();
  useCommand("palette", () => open("palette"));
  useCommand("shortcuts", () => open("shortcuts"));
  useCommand("asks", () => open("asks"));
  useCommand("sidebar", toggleSidebar);
  useCommand("usage", () => go({ view: "usage" }), can("service.read"));
  useCommand("theme-system", () => look.setTheme("system"), look.theme !== "system");
  useCommand("theme-light", () => look.setTheme("light"), look.theme !== "light");
  useCommand("theme-dark", () => look.setTheme("dark"), look.theme !== "dark");
  useCommand("contrast", () => look.setHighContrast(!look.isHighContrast));
  useCommand("reference", () => window.open("/docs", "_blank", "noreferrer"));
  useCommand("phone", () => open("phone"), can("token.manage"));
  useCommand("invite", () => open("invite"), session !== undefined && can("session.invite"));
  useCommand("new", openStart, can("session.create"));
  useCommand("search", () => {
    const find = () => document.getElementById("session-search");
    // At once: the next letters are what is searched for.
    if (!find()) flushSync(toggleSidebar);
    find()?.focus();
  });
  useCommand("next", () => moveBetweenSessions(1));
  useCommand("previous", () => moveBetweenSessions(-1));
  useCommand("write", () =>
    (document.getElementById("composer") ?? document.getElementById(START_FIELD))?.focus(),
  );
  useSidePanel("files", session, panel, can("session.read"));
  useSidePanel("tasks", session, panel, can("session.read"));
  useSidePanel("xray", session, panel, can("session.raw"));
}

/** The key that opens it closes it again. */
function useSidePanel(
  name: SidePanel,
  session: string | undefined,
  shown: SidePanel | undefined,
  isAllowed: boolean,
): void {
  const toggle = () =>
    session !== undefined && go({ view: "session", session, ...(shown !== name && { panel: name }) });
  useCommand(name, toggle, session !== undefined && isAllowed);
}

/** To the next or the former row of the list, in the order they are shown. */
function moveBetweenSessions(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("aside [data-session]")];
  const current = rows.findIndex((row) => row.ariaCurrent === "page");
  const row = rows[Math.max(0, Math.min(rows.length - 1, current + by))];
  // With the focus on the row the next key moves on; the composer would take it.
  row?.focus();
  row?.click();
}
