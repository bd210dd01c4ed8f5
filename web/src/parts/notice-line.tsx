/** Notices beside the conversation, one quiet line each. */
import { CircleAlert, Info, KeyRound, PackageOpen, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Notice } from "../chat/message-blocks.ts";
import type { DataParts } from "../chat/page-message.ts";
import { classNames } from "../ui/class-names.ts";
import { formatCount } from "../ui/format.ts";
import { PlainText } from "./plain-text.tsx";

const LEVELS = {
  info: { icon: Info, look: "text-muted-foreground" },
  warning: { icon: TriangleAlert, look: "text-waiting-text" },
  error: { icon: CircleAlert, look: "text-danger-text" },
};

export function NoticeLine({ notice }: { notice: Notice }) {
  const { icon: Icon, look } = LEVELS[notice.level];
  return (
    <QuietLine icon={<Icon />} look={look}>
      <PlainText text={notice.text} />
    </QuietLine>
  );
}

export function CompactionLine({ compaction }: { compaction: DataParts["compaction"] }) {
  const { state, tokensBefore, tokensAfter, summary, skipped, error } = compaction;
  const size =
    tokensBefore !== undefined && tokensAfter !== undefined
      ? ` from ${formatCount(tokensBefore)} to ${formatCount(tokensAfter)} tokens`
      : "";
  return (
    <QuietLine icon={<PackageOpen />} look={error ? "text-danger-text" : "text-muted-foreground"}>
      {state === "started" ? (
        "Summarizing the conversation…"
      ) : (
        <PlainText text={error ?? skipped ?? `The conversation was summarized${size}.`} />
      )}
      {summary && (
        <span className="block">
          <PlainText text={summary} />
        </span>
      )}
    </QuietLine>
  );
}

export function AuthLine({ auth }: { auth: DataParts["auth"] }) {
  const names = {
    ok: "The agent is signed in.",
    required: "The agent has to be signed in.",
    pending: "The agent is being signed in…",
    failed: "The agent could not be signed in.",
  };
  return (
    <QuietLine icon={<KeyRound />} look={auth.state === "ok" ? "text-muted-foreground" : "text-waiting-text"}>
      {names[auth.state]} <PlainText text={auth.text ?? ""} />
    </QuietLine>
  );
}

function QuietLine({ icon, look, children }: { icon: ReactNode; look: string; children: ReactNode }) {
  return (
    <div
      data-part="notice"
      className={classNames(
        "flex items-start gap-2 text-xs leading-5 [&>svg]:mt-[3px] [&>svg]:size-3.5 [&>svg]:shrink-0",
        look,
      )}
    >
      {icon}
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </div>
  );
}
