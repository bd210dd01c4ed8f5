/** Opens what is shown here on a phone, by a QR code. */
import { Dialog } from "../ui/dialog.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

const PhoneForm = lazyPart(
  () => import("./phone-form.tsx"),
  undefined,
  () => <Skeleton className="mt-4 h-28" />,
);

interface PhoneDialogProps {
  /** The session that is shown, if one is. */
  session: string | undefined;
  onClose: () => void;
}

export function PhoneDialog({ session, onClose }: PhoneDialogProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Open on my phone"
      description="Scan a code with the camera. The phone gets an access of its own, which you can end here at any time."
    >
      <PhoneForm session={session} />
    </Dialog>
  );
}
