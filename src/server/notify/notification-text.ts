/** A notification in words, for services that show it to people. Pure. */
import type { Notification } from "./notification.ts";

export interface NotificationText {
  title: string;
  message: string;
}

const ASKS: Readonly<Record<string, string>> = {
  permission: "asks for permission",
  question: "has a question",
  plan: "has a plan to approve",
};

export function notificationText(notification: Notification): NotificationText {
  const { event, title, ask, turn } = notification;
  const name = title ?? "Interlingua";
  const agent = notification.agentTitle ?? notification.agent;
  switch (event) {
    case "ask":
      return { title: name, message: `${agent} ${ASKS[ask?.kind ?? ""] ?? "asks"}: ${ask?.title ?? ""}` };
    case "turn_ended":
      return {
        title: name,
        message: turn?.outcome === "interrupted" ? `${agent} was stopped` : `${agent} is done`,
      };
    case "turn_failed":
      return { title: name, message: `${agent} could not finish (${turn?.outcome ?? "failed"})` };
    case "agent_failed":
      return { title: name, message: `${agent} ended unexpectedly` };
    case "test":
      return { title: "Interlingua", message: "This is a test: notifications arrive here." };
  }
}
