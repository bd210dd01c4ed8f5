/** Some of one's own phones, each with a way to end its access. */
import type { Token } from "../api/types.ts";
import { useNow } from "../shell/use-now.ts";
import { Button } from "../ui/button.tsx";
import { formatAge, formatMoment } from "../ui/format.ts";

interface PhoneListProps {
  title: string;
  phones: readonly Token[];
  onEnd: (id: string) => Promise<void>;
}

export function PhoneList({ title, phones, onEnd }: PhoneListProps) {
  const now = useNow(30_000);
  if (phones.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-medium text-soft text-xs">{title}</h3>
      <ul className="max-h-48 divide-y overflow-y-auto rounded-lg border">
        {phones.map((phone) => (
          <li key={phone.id} className="flex items-center gap-3 px-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium text-[0.8125rem]">{phone.name}</p>
              <p className="text-2xs text-muted-foreground">{phoneState(phone, now)}</p>
            </div>
            <Button
              size="small"
              look="danger"
              aria-label={`End access: ${phone.name}`}
              onClick={() => onEnd(phone.id)}
            >
              End access
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function phoneState({ createdAt, lastUsedAt, expiresAt }: Token, now: number): string {
  const age = formatAge(lastUsedAt ?? createdAt, now);
  const since = `${lastUsedAt === undefined ? "Made" : "Last used"} ${age === "now" ? "just now" : `${age} ago`}`;
  return expiresAt === undefined ? since : `${since} · until ${formatMoment(expiresAt)}`;
}
