import { useAccess } from "../access/use-access.tsx";

/** Stands where others write, for whoever may not. */
export function ReadOnly() {
  const { me } = useAccess();
  return (
    <p className="rounded-xl border border-dashed px-4 py-3 text-center text-muted-foreground">
      {`You watch as ${me.role}. To take part, ask for an invitation as participant.`}
    </p>
  );
}
