/** The state feed for components. */
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { FeedConnection } from "./feed-connection.ts";
import { type FeedState, NOTHING_YET } from "./feed-state.ts";

const FeedContext = createContext<FeedState>(NOTHING_YET);
const ConnectionContext = createContext<FeedConnection | undefined>(undefined);

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
      <FeedContext value={state}>{children}</FeedContext>
    </ConnectionContext>
  );
}

export function useFeed(): FeedState {
  return useContext(FeedContext);
}

/** Tells others that this session is looked at; undefined for none. */
export function useWatching(session: string | undefined): void {
  const connection = useContext(ConnectionContext);
  useEffect(() => connection?.watch(session), [connection, session]);
}
