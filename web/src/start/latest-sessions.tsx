/** Below the field, or above it on a phone: what needs a person, what runs, and the latest sessions, as rows of the list. */
import { useMemo } from "react";
import { useMyAsks } from "../access/use-my-asks.ts";
import { useStatusNames } from "../access/use-status-names.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { listDifferences } from "../sessions/list-items.ts";
import { SessionRow } from "../sessions/session-row.tsx";
import { useUnseenEnding } from "../sessions/unseen-endings.ts";
import { useDirectoryNames } from "../sessions/use-directory-names.ts";
import { useFocusInPlace } from "../sessions/use-focus-in-place.ts";
import { useWaitingSince } from "../sessions/use-waiting-since.ts";
import { useCommands } from "../shell/use-command.tsx";
import { useNow } from "../shell/use-now.ts";
import { Button } from "../ui/button.tsx";
import { latestGroups } from "./latest-groups.ts";

const nothing = () => {};

export function LatestSessions() {
  const { sessions } = useFeed();
  const asks = useMyAsks();
  const commands = useCommands();
  const { waiting: waitingName } = useStatusNames();
  const now = useNow(30_000);
  const waitingSince = useWaitingSince();
  const directories = useDirectoryNames();
  // Groups of the list change with the day; what is shown here does not.
  const unseen = useUnseenEnding();
  const groups = useMemo(
    () =>
      latestGroups([...sessions.values()], {
        waitingName,
        now: 0,
        wantsLook: (session) => unseen(session) !== undefined,
      }),
    [sessions, waitingName, unseen],
  );
  const tells = useMemo(() => listDifferences(groups), [groups]);
  const shown = useMemo(
    () => groups.flatMap(({ rows }) => rows.map(({ session }) => session.session)),
    [groups],
  );
  const { onFocus, onBlur } = useFocusInPlace(shown);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only looks where the focus is
    <div onFocus={onFocus} onBlur={onBlur}>
      {groups.map(({ key, name, rows }) => (
        <section key={key} aria-label={name} data-latest={key} className="mb-4">
          <div className="flex h-8 items-center justify-between pl-2 touch:h-10">
            <h2 className="font-medium text-2xs text-muted-foreground">{name}</h2>
            {key === "waiting" && asks.length > 0 && (
              <Button
                size="small"
                look="ghost"
                className="text-primary-text!"
                onClick={() => commands.run("asks")}
              >
                {asks.length === 1 ? "Answer it" : `Review ${asks.length}`}
              </Button>
            )}
          </div>
          <ul>
            {rows.map((row) => (
              <li key={row.session.session}>
                <SessionRow
                  session={row.session}
                  depth={row.depth}
                  now={now}
                  isCurrent={false}
                  waitingSince={waitingSince.get(row.session.session)}
                  tellsAgent={tells.agent}
                  directory={tells.directory ? directories.get(row.session.cwd) : undefined}
                  isChosen={undefined}
                  onOpen={nothing}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
