/** The list of what people allowed in a session for more than once: how far it reaches, by whom, when, and how long it holds. */
import { isNamed } from "../access/is-named.ts";
import { useAccess } from "../access/use-access.tsx";
import type { AlwaysAllowed } from "../api/types.ts";
import { type OptionReach, optionReach } from "../asks/option-reach.ts";
import { PlainText } from "../parts/plain-text.tsx";
import { shownName } from "../people/shown-name.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { clip, shortMoment } from "../ui/format.ts";

interface AllowedListProps {
  answers: readonly AlwaysAllowed[];
  cwd: string | undefined;
}

export default function AllowedList({ answers, cwd }: AllowedListProps) {
  return (
    <section aria-label="Always allowed here" data-always-allowed className="px-2 py-1.5 text-xs">
      <p className="text-2xs text-muted-foreground">Always allowed here</p>
      <BoundedList items={answers} step={8} name="answers">
        {(answer) => <Allowed key={answer.ask} answer={answer} cwd={cwd} />}
      </BoundedList>
    </section>
  );
}

function Allowed({ answer, cwd }: { answer: AlwaysAllowed; cwd: string | undefined }) {
  const { me } = useAccess();
  const { label, covers, storedIn, title, by, at } = answer;
  const reach = optionReach({ id: "", effect: "always", label, covers, storedIn }, { cwd });
  const isWhole = reach.covers.length === 0 && covers !== undefined;
  const what = isWhole ? [reach.label.replace(/, not just this( one)?$/, "")] : covers && reach.covers;
  return (
    <div className="mt-2">
      {(what ?? [title]).map((text) => (
        <p
          key={text}
          className={isWhole || !what ? "[overflow-wrap:anywhere]" : "font-mono [overflow-wrap:anywhere]"}
        >
          <PlainText text={clip(text)} />
        </p>
      ))}
      <p className="mt-0.5 text-2xs text-muted-foreground" title={new Date(at).toLocaleString()}>
        {isNamed(by, me.name) ? "You" : shownName(by)}, {shortMoment(at)} · {keptWhere(storedIn, reach)}
      </p>
    </div>
  );
}

/** Where nobody said how long it holds, that is the agent's affair. */
function keptWhere(storedIn: string | undefined, { notes }: OptionReach): string {
  if (storedIn === undefined) return "kept by the agent";
  if (storedIn === "session" || storedIn === "cliArg") return "ends with the session";
  return (notes.at(-1) ?? "").replace(/^K/, "k");
}
