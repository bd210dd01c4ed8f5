/** The whole page: a token first, then the workspace. */
import { useEffect, useState } from "react";
import { onUnauthorized } from "./api/client.ts";
import { forgetToken, readToken, storeToken, takeTokenFromAddress } from "./api/token.ts";
import { FeedProvider } from "./feed/use-feed.tsx";
import { TokenGate } from "./shell/token-gate.tsx";
import { Workspace } from "./shell/workspace.tsx";

export function App() {
  const [token, setToken] = useState(readToken);
  const [wasRefused, setWasRefused] = useState(false);

  useEffect(
    () =>
      onUnauthorized(() => {
        forgetToken();
        setWasRefused(true);
        setToken(undefined);
      }),
    [],
  );
  useEffect(() => {
    // A link with a token that is opened in this very tab changes only the fragment.
    const take = () => {
      takeTokenFromAddress();
      setToken(readToken());
    };
    addEventListener("hashchange", take);
    return () => removeEventListener("hashchange", take);
  }, []);

  if (token === undefined) {
    return (
      <TokenGate
        wasRefused={wasRefused}
        onToken={(given) => {
          storeToken(given);
          setWasRefused(false);
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
