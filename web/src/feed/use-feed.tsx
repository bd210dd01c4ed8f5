/** The state feed for components. */
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { FeedConnection } from "./feed-connection.ts";
import { type FeedState, NOTHING_YET, withoutSessions } from "./feed-state.ts";

const FeedContext = createContext<FeedState>(NOTHING_YET);
const ConnectionContext = createContext<FeedConnection | undefined>(undefined);
/** Apart from the rest, which changes all the time while agents work. */
const ConnectionStateContext = createContext(NOTHING_YET.connection);

export function FeedProvider({ children }: { children: ReactNode }) {
  const [connection, setConnection] = useState<FeedConnection>();
  useEffect(() => {
    const opened = new FeedConnection();
    opened.open();
    setConnection(opened);
    return () => opened.close();
  }, []);
  if (!connection) return null;
  return <Provided connection={connection}>{children}</Provided>;
}

function Provided({ connection, children }: { connection: FeedConnection; children: ReactNode }) {
  const state = useSyncExternalStore(connection.subscribe, connection.getState);
  return (
    <ConnectionContext value={connection}>
      <ConnectionStateContext value={state.connection}>
        <FeedContext value={state}>{children}</FeedContext>
      </ConnectionStateContext>
    </ConnectionContext>
  );
}

/** Inside of it these sessions are not there, nor what they ask. */
export function FeedWithout({ sessions, children }: { sessions: ReadonlySet<string>; children: ReactNode }) {
  const feed = useFeed();
  const rest = useMemo(() => withoutSessions(feed, sessions), [feed, sessions]);
  return <FeedContext value={rest}>{children}</FeedContext>;
}

export function useFeed(): FeedState {
  return useContext(FeedContext);
}

/** `connection` of the feed. Renders only when it changes. */
export function useConnectionState(): FeedState["connection"] {
  return useContext(ConnectionStateContext);
}

/** Tries to connect at once. */
export function useRetry(): () => void {
  const connection = useContext(ConnectionContext);
  return () => connection?.retry();
}

/** Tells others that this session is looked at; undefined for none. */
export function useWatching(session: string | undefined): void {
  const connection = useContext(ConnectionContext);
  useEffect(() => connection?.watch(session), [connection, session]);
}

/** Archived sessions are in the feed from when they are first asked for. */
export function useArchived(isWanted: boolean): void {
  const connection = useContext(ConnectionContext);
  useEffect(() => {
    if (isWanted) connection?.loadArchived();
  }, [connection, isWanted]);
}

/**
 * Whether there is a session; undefined until that is known. One that the feed left out, as it does with archived ones,
 * is looked for.
 */
export function useIsThere(session: string | undefined): boolean | undefined {
  const connection = useContext(ConnectionContext);
  const { sessions, snapshots, connection: state } = useFeed();
  const [missing, setMissing] = useState<string>();
  const isListed = session !== undefined && sessions.has(session);
  const isLive = state === "live";
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each snapshot everything may have changed
  useEffect(() => {
    if (session === undefined || isListed || !isLive) return;
    let isOver = false;
    const found = connection?.find(session) ?? Promise.resolve(false);
    // One that was found is listed by then.
    const end = () => {
      if (!isOver) setMissing(session);
    };
    found.then(end, end);
    return () => {
      isOver = true;
    };
  }, [connection, session, isListed, isLive, snapshots]);
  if (session === undefined || isListed) return isListed;
  return missing === session ? false : undefined;
}
