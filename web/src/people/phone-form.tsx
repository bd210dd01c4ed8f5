/** A token for one's own phone, as a QR code; and the phones that have one. */
import { type FormEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Field, Select } from "../ui/field.tsx";
import { formatMoment } from "../ui/format.ts";
import { Problem } from "../ui/problem.tsx";
import { AccessLink, MissingForOthers } from "./access-link.tsx";
import { PhoneList } from "./phone-list.tsx";
import { usePhones } from "./use-phones.ts";

const DAY_MS = 86_400_000;

const DURATIONS = [
  { value: 1, name: "1 day" },
  { value: 7, name: "1 week" },
  { value: 30, name: "30 days" },
];

export default function PhoneForm({ session }: { session: string | undefined }) {
  const phones = usePhones(session);
  const [days, setDays] = useState(7);
  const [isMaking, setIsMaking] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setIsMaking(true);
    await phones.add(days * DAY_MS);
    setIsMaking(false);
  }

  return (
    <div className="mt-4 space-y-4">
      {phones.added ? (
        <AccessLink
          key={phones.added.id}
          {...phones.added}
          name="The code for the phone"
          hint={`Only for you: whoever has it can use your agents. It is shown only now, and ends ${formatMoment(phones.added.expiresAt ?? 0)}.`}
        />
      ) : (
        <form onSubmit={submit} className="flex items-end gap-3">
          <div className="flex-1">
            <Field label="The phone stays signed in for">
              {(ids) => <Select {...ids} value={days} options={DURATIONS} onChange={setDays} />}
            </Field>
          </div>
          <Button type="submit" look="primary" autoFocus data-autofocus disabled={isMaking} className="h-8.5">
            Show the code
          </Button>
        </form>
      )}
      <MissingForOthers title="Your phone cannot reach this machine yet" missing={phones.missing} />
      <Problem text={phones.problem} look="box" />
      <PhoneList title="Phones with access" phones={phones.used} onEnd={phones.end} />
      <PhoneList title="Not used yet" phones={phones.unused} onEnd={phones.end} />
    </div>
  );
}
