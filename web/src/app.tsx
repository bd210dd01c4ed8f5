/** The whole page: an invitation or a token first, then the workspace. */
import { useEffect, useState } from "react";
import { AccessProvider } from "./access/use-access.tsx";
import { AgentsProvider } from "./agents/use-agents.tsx";
import { onUnauthorized } from "./api/client.ts";
import {
  forgetGuest,
  forgetToken,
  isGuest,
  readToken,
  storeToken,
  takeTokenFromAddress,
} from "./api/token.ts";
import { askForToken, shareToken } from "./api/token-sharing.ts";
import type { Redeemed } from "./api/types.ts";
import { FeedProvider } from "./feed/use-feed.tsx";
import { forgetCode, readCode, takeCodeFromAddress } from "./join/invitation-code.ts";
import { openSession } from "./route.ts";
import { ForkNumbersProvider } from "./sessions/use-fork-numbers.tsx";
import { SessionActionsProvider } from "./sessions/use-session-actions.tsx";
import { CommandsProvider } from "./shell/use-command.tsx";
import { Workspace } from "./shell/workspace.tsx";
import { WarmSessionProvider } from "./start/use-warm-session.tsx";
import { lazyPart } from "./ui/lazy-part.tsx";
import { useShownLook } from "./ui/theme.ts";
import { ToastsProvider } from "./ui/toasts.tsx";

const JoinForm = lazyPart(() => import("./join/join-form.tsx"));
const AccessEnded = lazyPart(() => import("./shell/access-ended.tsx"));
const TokenGate = lazyPart(() => import("./shell/token-gate.tsx"));

export function App() {
  useShownLook();
  const [token, setToken] = useState(readToken);
  const [refused, setRefused] = useState<string>();
  const [code, setCode] = useState(readCode);
  const [hasEnded, setHasEnded] = useState(() => readToken() === undefined && isGuest());

  useEffect(
    () =>
      onUnauthorized(() => {
        setRefused(readToken());
        forgetToken();
        setHasEnded(isGuest());
        setToken(undefined);
      }),
    [],
  );
  useEffect(() => {
    // Opening a link with a token or a code in this tab changes only the fragment.
    const take = () => {
      takeTokenFromAddress();
      takeCodeFromAddress();
      setToken(readToken());
      setCode(readCode());
    };
    addEventListener("hashchange", take);
    return () => removeEventListener("hashchange", take);
  }, []);
  // Whoever was invited, or was a guest until now, is not to become somebody else because of another tab.
  const isWaiting = code === undefined && !hasEnded;
  useEffect(() => {
    if (token !== undefined) return shareToken();
    if (!isWaiting) return;
    return askForToken((given) => {
      // Another tab may not know yet that the token is invalid.
      if (given === refused) return;
      storeToken(given);
      setToken(given);
    });
  }, [token, refused, isWaiting]);

  function use(given: string) {
    storeToken(given);
    setRefused(undefined);
    setHasEnded(false);
    setToken(given);
  }

  function dropCode() {
    forgetCode();
    setCode(undefined);
  }

  function join(redeemed: Redeemed) {
    use(redeemed.token);
    dropCode();
    openSession(redeemed.session);
  }

  if (code !== undefined) {
    return (
      <JoinForm key={code} code={code} hasAccess={token !== undefined} onJoined={join} onLeave={dropCode} />
    );
  }
  if (token === undefined && hasEnded) {
    return (
      <AccessEnded
        onToken={() => {
          forgetGuest();
          setRefused(undefined);
          setHasEnded(false);
        }}
      />
    );
  }
  if (token === undefined) {
    return <TokenGate wasRefused={refused !== undefined} onToken={use} />;
  }
  return (
    <AccessProvider key={token}>
      <AgentsProvider>
        <FeedProvider>
          <WarmSessionProvider>
            <ToastsProvider>
              <SessionActionsProvider>
                <ForkNumbersProvider>
                  <CommandsProvider>
                    <Workspace />
                  </CommandsProvider>
                </ForkNumbersProvider>
              </SessionActionsProvider>
            </ToastsProvider>
          </WarmSessionProvider>
        </FeedProvider>
      </AgentsProvider>
    </AccessProvider>
  );
}
