/** Invites others to a session by a link, and takes invitations back. */
import { Dialog } from "../ui/dialog.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

const ShareForm = lazyPart(
  () => import("./share-form.tsx"),
  undefined,
  () => <Skeleton className="mt-4 h-36" />,
);

export function ShareDialog({ session, onClose }: { session: string; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Invite to this session"
      description="A link for one person. It works once, and its access is for this session only."
    >
      <ShareForm session={session} />
    </Dialog>
  );
}
