/** Invites others to a session by a link, and takes invitations back. */
import { Suspense } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

const ShareForm = lazyPart(() => import("./share-form.tsx"));

interface ShareDialogProps {
  session: string;
  isOpen: boolean;
  onClose: () => void;
}

export function ShareDialog({ session, isOpen, onClose }: ShareDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Invite to this session"
      description="A link for one person. It works once, and its access is for this session only."
    >
      <Suspense fallback={<Skeleton className="mt-4 h-36" />}>
        <ShareForm session={session} />
      </Suspense>
    </Dialog>
  );
}
