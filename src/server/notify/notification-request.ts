/** A notification as the request that a target understands, signed where it has a secret. Pure but for its arguments. */
import { createHmac } from "node:crypto";
import type { NotifyTarget } from "../../core/notify-target.ts";
import type { Notification } from "./notification.ts";
import { notificationText } from "./notification-text.ts";

export interface NotificationRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The same for each attempt of one notification, so that a receiver can tell a repetition. */
export interface Delivery {
  id: string;
  /** Seconds since 1970, when this attempt is made. */
  timestamp: number;
}

export function notificationRequest(
  target: NotifyTarget,
  notification: Notification,
  { id, timestamp }: Delivery,
): NotificationRequest {
  const { url, content } = contentFor(target, notification);
  const body = JSON.stringify(content);
  return {
    url,
    body,
    headers: {
      "user-agent": "interlingua",
      ...target.headers,
      "content-type": "application/json",
      "x-interlingua-delivery": id,
      "x-interlingua-timestamp": String(timestamp),
      ...(target.secret !== undefined && {
        "x-interlingua-signature": `sha256=${signature(target.secret, timestamp, body)}`,
      }),
    },
  };
}

function signature(secret: string, timestamp: number, body: string): string {
  return createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
}

function contentFor(target: NotifyTarget, notification: Notification): { url: string; content: object } {
  const link = linkTo(target, notification);
  switch (target.format) {
    case "json":
      return { url: target.url.href, content: { ...notification, ...(link && { link }) } };
    case "slack": {
      const { title, message } = notificationText(notification);
      const text = `*${slackText(title)}*: ${slackText(message)}`;
      return { url: target.url.href, content: { text: link ? `${text} <${link}|Open>` : text } };
    }
    case "ntfy": {
      // As JSON to the root: in headers titles could not hold every letter.
      const { root, topic } = ntfyTopic(target.url);
      const { title, message } = notificationText(notification);
      const isUrgent = notification.event === "ask";
      const content = { topic, title, message, tags: [TAGS[notification.event]], priority: isUrgent ? 4 : 3 };
      return { url: root, content: link ? { ...content, click: link } : content };
    }
  }
}

const TAGS: Readonly<Record<Notification["event"], string>> = {
  ask: "raised_hand",
  turn_ended: "white_check_mark",
  turn_failed: "warning",
  agent_failed: "warning",
  test: "bell",
};

function linkTo({ page }: NotifyTarget, { session, event }: Notification): string | undefined {
  if (page === undefined) return undefined;
  return event === "test" ? `${page}/` : `${page}/#/sessions/${encodeURIComponent(session)}`;
}

function ntfyTopic(url: URL): { root: string; topic: string } {
  const path = url.pathname.replace(/\/+$/, "");
  const cut = path.lastIndexOf("/") + 1;
  const root = new URL(url);
  root.pathname = path.slice(0, cut);
  root.hash = "";
  return { root: root.href, topic: decodeURIComponent(path.slice(cut)) };
}

/** Otherwise a title could hold links and mention everybody. */
function slackText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[*_~`]/g, "\u2060$&");
}
