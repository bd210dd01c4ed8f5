/**
 * Hands the token of an open tab to a new one. It goes from one tab of this origin to another and stays in the storage
 * of each tab, which ends with it: nothing that outlives the tabs ever has it.
 */
import { readToken } from "./token.ts";

const CHANNEL = "interlingua.token";

type TokenMessage = { type: "wanted" } | { type: "token"; token: string };

/** Answers tabs that have none, for as long as this one has it. Returns how to stop. */
export function shareToken(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const tell = () => {
    const token = readToken();
    if (token !== undefined) channel.postMessage({ type: "token", token } satisfies TokenMessage);
  };
  channel.onmessage = ({ data }: MessageEvent<TokenMessage>) => {
    if (data.type === "wanted") tell();
  };
  // Whoever waits for one may have been there before.
  tell();
  return () => channel.close();
}

/** Asks the other tabs, and tells of every token that comes. Returns how to stop. */
export function askForToken(onToken: (token: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<TokenMessage>) => {
    if (data.type === "token") onToken(data.token);
  };
  channel.postMessage({ type: "wanted" } satisfies TokenMessage);
  return () => channel.close();
}
