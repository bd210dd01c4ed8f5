/** What there has to be before another machine can, or should, follow a link to this daemon. */
export function MissingForOthers({ title, missing }: { title: string; missing: readonly string[] }) {
  if (missing.length === 0) return null;
  return (
    <div
      role="status"
      className="rounded-md border border-waiting-border bg-waiting-soft px-3 py-2 text-xs leading-5"
    >
      <p className="font-medium text-waiting-text">{title}</p>
      <ul className="mt-1 list-disc space-y-1 pl-4 text-soft">
        {missing.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
