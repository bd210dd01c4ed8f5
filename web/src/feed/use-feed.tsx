/** The state feed for components. */
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { FeedConnection } from "./feed-connection.ts";
import { type FeedState, NOTHING_YET } from "./feed-state.ts";

const FeedContext = createContext<FeedState>(NOTHING_YET);

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
  return <FeedContext value={state}>{children}</FeedContext>;
}

export function useFeed(): FeedState {
  return useContext(FeedContext);
}
