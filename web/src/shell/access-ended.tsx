import { Button } from "../ui/button.tsx";
import { Mark } from "./mark.tsx";

/** Says that the token of a guest is not accepted any more. */
export default function AccessEnded({ onToken }: { onToken: () => void }) {
  return (
    <main className="grid h-full place-items-center overflow-y-auto bg-panel p-6">
      <div role="alert" className="w-full max-w-sm rounded-xl border bg-raised p-6 shadow-xs">
        <Mark className="size-9" />
        <h1 className="mt-4 font-semibold text-base">Your access has ended</h1>
        <p className="mt-1 mb-5 text-muted-foreground leading-relaxed">
          It was revoked, has expired, or the session was deleted. Ask whoever invited you for a new link.
        </p>
        <Button onClick={onToken} className="w-full">
          Use another link
        </Button>
      </div>
    </main>
  );
}
