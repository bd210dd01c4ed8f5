/**
 * Passes the token from an open tab to a new one of this origin. It stays in the storage of each tab and never outlives
 * the tabs.
 */
import { readToken } from "./token.ts";

const CHANNEL = "interlingua.token";

type TokenMessage = { type: "wanted" } | { type: "token"; token: string };

/** Answers tabs without a token as long as this one has it. Returns a function that stops it. */
export function shareToken(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const tell = () => {
    const token = readToken();
    if (token !== undefined) channel.postMessage({ type: "token", token } satisfies TokenMessage);
  };
  channel.onmessage = ({ data }: MessageEvent<TokenMessage>) => {
    if (data.type === "wanted") tell();
  };
  // A waiting tab may have been open before this one.
  tell();
  return () => channel.close();
}

/** Asks the other tabs and reports every token that arrives. Returns a function that stops it. */
export function askForToken(onToken: (token: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<TokenMessage>) => {
    if (data.type === "token") onToken(data.token);
  };
  channel.postMessage({ type: "wanted" } satisfies TokenMessage);
  return () => channel.close();
}
