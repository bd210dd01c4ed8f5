/** Tells of what waits and what ended while nobody looks at the page, by notifications of the browser. */
import { useEffect, useRef } from "react";
import { useAccess } from "../access/use-access.tsx";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { clip } from "../ui/format.ts";
import { feedNews, type News } from "./feed-news.ts";
import { type PageNotification, showNotification } from "./show-notification.ts";
import { readNotificationState } from "./use-notification-setting.ts";
import { announceVisible, isVisibleAnywhere } from "./visible-tabs.ts";

/** More at once are one. */
const MAX_AT_ONCE = 3;
const MAX_LENGTH = 140;

export function useNotifications(): void {
  const feed = useFeed();
  const { canAnswer } = useAccess();
  const nameOf = useAgentNames();
  const before = useRef(feed);
  useEffect(announceVisible, []);
  useEffect(followPressed, []);
  useEffect(() => {
    const news = feedNews(before.current, feed, canAnswer);
    before.current = feed;
    if (news.length === 0 || !document.hidden || readNotificationState() !== "on") return;
    isVisibleAnywhere().then(
      (isSeen) => isSeen || summed(news.map((one) => notificationOf(one, nameOf))).forEach(showNotification),
      () => {},
    );
  }, [feed, canAnswer, nameOf]);
}

/** What the service worker showed and somebody pressed. */
function followPressed(): () => void {
  const stopped = new AbortController();
  navigator.serviceWorker?.addEventListener(
    "message",
    ({ data }: MessageEvent<unknown>) => {
      const link = (data as { open?: unknown } | null)?.open;
      if (typeof link === "string" && link.startsWith("#/")) location.hash = link;
    },
    { signal: stopped.signal },
  );
  return () => stopped.abort();
}

const ASKS = { permission: "asks for permission", question: "asks", plan: "has a plan to approve" } as const;

function notificationOf({ kind, session, ask }: News, nameOf: (agent: string) => string): PageNotification {
  const agent = nameOf(session.agent);
  const about = { title: clip(session.title?.trim() || agent, MAX_LENGTH), session: session.session };
  if (ask) {
    const body = `${agent} ${ASKS[ask.kind]}: ${ask.title}`;
    return { ...about, body: clip(body, MAX_LENGTH), tag: `${ask.session} ${ask.ask}` };
  }
  const body = kind === "failed" ? `${agent} could not finish` : `${agent} is done`;
  return { ...about, body, tag: session.session };
}

function summed(all: readonly PageNotification[]): readonly PageNotification[] {
  if (all.length <= MAX_AT_ONCE) return all;
  return [{ title: "Interlingua", body: `${all.length} sessions have news`, tag: "interlingua.news" }];
}
