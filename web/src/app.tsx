/** The whole page: a token first, then the workspace. */
import { useEffect, useState } from "react";
import { onUnauthorized } from "./api/client.ts";
import { forgetToken, readToken, storeToken, takeTokenFromAddress } from "./api/token.ts";
import { askForToken, shareToken } from "./api/token-sharing.ts";
import { FeedProvider } from "./feed/use-feed.tsx";
import { TokenGate } from "./shell/token-gate.tsx";
import { Workspace } from "./shell/workspace.tsx";

export function App() {
  const [token, setToken] = useState(readToken);
  const [refused, setRefused] = useState<string>();

  useEffect(
    () =>
      onUnauthorized(() => {
        setRefused(readToken());
        forgetToken();
        setToken(undefined);
      }),
    [],
  );
  useEffect(() => {
    // Opening a link with a token in this tab changes only the fragment.
    const take = () => {
      takeTokenFromAddress();
      setToken(readToken());
    };
    addEventListener("hashchange", take);
    return () => removeEventListener("hashchange", take);
  }, []);
  useEffect(() => {
    if (token !== undefined) return shareToken();
    return askForToken((given) => {
      // Another tab may not know yet that the token is invalid.
      if (given === refused) return;
      storeToken(given);
      setToken(given);
    });
  }, [token, refused]);

  if (token === undefined) {
    return (
      <TokenGate
        wasRefused={refused !== undefined}
        onToken={(given) => {
          storeToken(given);
          setRefused(undefined);
          setToken(given);
        }}
      />
    );
  }
  return (
    <FeedProvider key={token}>
      <Workspace />
    </FeedProvider>
  );
}
