/** Where notifications go, as the config file describes it, and what they can be about. */
import { z } from "zod";

export const NOTIFY_EVENTS = ["ask", "turn_ended", "turn_failed", "agent_failed"] as const;
export const NOTIFY_FORMATS = ["json", "ntfy", "slack"] as const;

/** What a notification is about. */
export type NotifyEvent = (typeof NOTIFY_EVENTS)[number];

const MAX_TARGETS = 10;
const MAX_HEADERS = 20;

const text = z.string().min(1, "must not be empty").max(2048, "must not be longer than 2048 characters");

/** `$NAME` in `url`, `secret` and headers stands for a variable of the daemon. What they hold is checked after that. */
export const notifyTargetSchema = z.strictObject({
  url: text,
  /** All when absent. */
  events: z.array(z.enum(NOTIFY_EVENTS)).min(1, "names no event; leave it out for all").optional(),
  /** `json` when absent. */
  format: z.enum(NOTIFY_FORMATS).optional(),
  /** Signs what is sent. */
  secret: text.optional(),
  headers: z
    .record(z.string(), text)
    .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `has more than ${MAX_HEADERS} headers`)
    .optional(),
  /** The address under which people open the page, for links to the session. */
  page: text.optional(),
});

export const notifySchema = z
  .array(notifyTargetSchema)
  .max(MAX_TARGETS, `has more than ${MAX_TARGETS} targets; a receiver can pass them on`);

/** A target as it stands in the config file. */
export type NotifySetting = z.infer<typeof notifyTargetSchema>;

/** A target that can be sent to. */
export interface NotifyTarget {
  readonly url: URL;
  readonly events: ReadonlySet<NotifyEvent>;
  readonly format: (typeof NOTIFY_FORMATS)[number];
  readonly secret?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Without a slash at the end. */
  readonly page?: string;
}
