/** Files and sources that came with a message. Nothing is loaded from elsewhere to show them. */
import { FileText, Link2 } from "lucide-react";
import { BoundedList } from "../ui/bounded-list.tsx";
import { clip } from "../ui/format.ts";
import { safeImage, safeLink } from "./safe-url.ts";

interface AttachmentProps {
  url: string;
  mediaType: string;
  filename?: string;
}

export function Attachment({ url, mediaType, filename }: AttachmentProps) {
  const picture = safeImage(url);
  const name = clip(filename ?? mediaType);
  if (picture) {
    return (
      <img src={picture} alt={name} data-part="file" className="max-h-72 max-w-full rounded-lg border" />
    );
  }
  // Offered as a download: a file of the agent is never opened in the page's own origin.
  const isCarried = url.startsWith("data:");
  const link = isCarried ? url : safeLink(url);
  const look =
    "inline-flex h-7.5 touch:h-10 max-w-full items-center gap-2 rounded-md border bg-raised px-2.5 text-xs [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:text-muted-foreground";
  const content = (
    <>
      <FileText aria-hidden="true" />
      <span className="truncate">{name}</span>
      {filename && <span className="text-muted-foreground">{clip(mediaType, 80)}</span>}
    </>
  );
  if (!link)
    return (
      <span data-part="file" className={look}>
        {content}
      </span>
    );
  return (
    <a
      data-part="file"
      href={link}
      {...(isCarried ? { download: filename ?? "file" } : { target: "_blank", rel: "noopener noreferrer" })}
      className={`${look} hover:bg-hover`}
    >
      {content}
    </a>
  );
}

export function Sources({ sources }: { sources: readonly { id: string; url?: string; title?: string }[] }) {
  return (
    <ul aria-label="Sources" className="flex flex-wrap gap-1.5">
      <BoundedList items={sources} step={60} name="sources" wrap={(button) => <li>{button}</li>}>
        {({ id, url, title }, index) => {
          const link = url === undefined ? undefined : safeLink(url);
          const name = clip(title ?? url ?? id);
          return (
            <li key={`${index} ${id}`} className="max-w-full">
              <a
                {...(link && { href: link, target: "_blank", rel: "noopener noreferrer" })}
                title={url && clip(url)}
                className="inline-flex h-6 max-w-full items-center gap-1.5 rounded-full border bg-raised px-2.5 text-muted-foreground text-xs hover:text-foreground touch:h-10 touch:px-3.5"
              >
                <Link2 className="size-3 shrink-0" aria-hidden="true" />
                <span className="truncate">{name}</span>
              </a>
            </li>
          );
        }}
      </BoundedList>
    </ul>
  );
}
