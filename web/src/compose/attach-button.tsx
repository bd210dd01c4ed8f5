/** Lets the person choose files to go with a prompt. */
import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "../ui/button.tsx";

export function AttachButton({ onAttach }: { onAttach: (files: File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          if (event.target.files) onAttach([...event.target.files]);
          event.target.value = "";
        }}
      />
      <IconButton
        icon={Paperclip}
        label="Attach files"
        title="Attach files"
        onClick={() => picker.current?.click()}
      />
    </>
  );
}
