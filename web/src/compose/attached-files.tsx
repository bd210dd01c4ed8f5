/** Files that will go with the prompt: pictures as small pictures, all else by name and size. */
import { FileText, X } from "lucide-react";
import { useMemo } from "react";
import { safeImage } from "../parts/safe-url.ts";
import { clip } from "../ui/format.ts";
import type { AttachedFile } from "./attached-file.ts";

interface AttachedFilesProps {
  files: readonly AttachedFile[];
  onRemove: (index: number) => void;
}

export function AttachedFiles({ files, onRemove }: AttachedFilesProps) {
  if (files.length === 0) return null;
  return (
    <ul
      className="flex gap-2 overflow-x-auto overscroll-x-contain px-3 pt-3 pb-1"
      aria-label="Attached files"
    >
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be the same, and a name for each would be megabytes
        <AttachedFileItem key={index} file={file} onRemove={() => onRemove(index)} />
      ))}
    </ul>
  );
}

function AttachedFileItem({ file, onRemove }: { file: AttachedFile; onRemove: () => void }) {
  // Megabytes are looked through once, not with each key.
  const picture = useMemo(() => safeImage(file.url), [file]);
  return (
    <li
      data-attached={picture ? "picture" : "file"}
      className="group/file relative flex h-14 max-w-56 shrink-0 items-center overflow-hidden rounded-lg border bg-muted text-xs"
    >
      {picture ? (
        <img src={picture} alt="" className="size-14 shrink-0 object-cover" />
      ) : (
        <span className="grid h-14 w-9 shrink-0 place-items-center pl-1 text-muted-foreground">
          <FileText className="size-4" aria-hidden="true" />
        </span>
      )}
      <span className="flex min-w-0 flex-col py-1 pr-9 pl-2 touch:pr-11">
        <span className="truncate font-medium" title={file.filename}>
          {clip(file.filename, 120)}
        </span>
        <span className="truncate text-2xs text-muted-foreground">{sizeOf(file)}</span>
      </span>
      <button
        type="button"
        aria-label={`Remove ${file.filename}`}
        onClick={onRemove}
        className="absolute inset-y-0 right-0 grid w-8 place-items-center text-muted-foreground hover:text-foreground touch:w-10"
      >
        <X className="size-3.5" />
      </button>
    </li>
  );
}

/** Of what was attached, not of how it is carried. */
function sizeOf({ url }: AttachedFile): string {
  const bytes = Math.max(0, Math.floor(((url.length - url.indexOf(",") - 1) * 3) / 4));
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} kB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
