/** Why no session is listed, and what helps. */

interface NothingListedProps {
  isFirst: boolean;
  isLoading: boolean;
  isArchived: boolean;
  search: string;
}

export function NothingListed({ isFirst, isLoading, isArchived, search }: NothingListedProps) {
  if (isLoading) return <p className="px-2 py-2 text-muted-foreground text-xs">Connecting…</p>;
  if (search || isArchived || !isFirst) {
    const text = search
      ? `Nothing matches “${search}”.`
      : isArchived
        ? "Nothing is archived. Archived sessions leave the list, keep everything, and can come back."
        : "Every session is archived.";
    return <p className="wrap-anywhere px-2 py-2 text-muted-foreground text-xs leading-5">{text}</p>;
  }
  return (
    <div className="mx-1 mt-2 rounded-lg border border-dashed px-3 py-4 text-center text-muted-foreground text-xs leading-5">
      <p>Sessions appear here, whoever starts them: this page, the command line or another client.</p>
    </div>
  );
}
