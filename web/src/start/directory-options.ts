/** What the directory picker offers, from where somebody is and what they wrote. */
import type { DirectoryList } from "../api/types.ts";
import { folderName } from "../ui/format.ts";
import type { DirectoryQuery } from "./use-directory-list.ts";

export interface DirectoryOption {
  /** `use` ends the choice, `go` looks into it. */
  act: "use" | "go";
  path: string;
  name: string;
  isRepository?: boolean;
  isUp?: boolean;
  /** The folders around it, where it is not right here. */
  where?: string;
}

export interface DirectoryPlace {
  /** Where somebody has gone to; undefined at the beginning. */
  at: string | undefined;
  /** A path, or a part of a name. */
  text: string;
}

/** What has to be known of the disk for that; undefined when nothing has. */
export function directoryQuery({ at, text }: DirectoryPlace): DirectoryQuery | undefined {
  const written = writtenPath(text);
  if (written) return written;
  const search = text.trim();
  return { ...(at !== undefined && { path: at }), ...(search !== "" && { search }) };
}

export function directoryOptions(
  { at, text }: DirectoryPlace,
  list: DirectoryList | undefined,
  recent: readonly string[],
): DirectoryOption[] {
  const written = writtenPath(text);
  const around = (path: string) => {
    const parent = path.slice(0, path.lastIndexOf("/")) || "/";
    const isHere = parent === list?.path || (list?.path === undefined && text.trim() === "");
    return isHere ? {} : { where: parent.split("/").slice(-2).join("/") || "/" };
  };
  const search = written ? (written.search ?? "") : text.trim();
  const listed = (list?.directories ?? [])
    .filter(({ name, isHidden }) => hasText(name, search) && (!isHidden || search.startsWith(".")))
    .map(({ name, path, isRepository }) => ({
      act: "go" as const,
      path,
      name,
      isRepository,
      ...around(path),
    }))
    .filter(({ where }) => !written || where === undefined);
  if (at === undefined && !written) {
    const used = recent
      .filter((path) => hasText(path, search))
      .map((path) => ({ act: "use" as const, path, name: folderName(path) }));
    const isUsed = new Set(search === "" ? [] : used.map(({ path }) => path));
    return [...used, ...listed.filter(({ path }) => !isUsed.has(path))];
  }
  const here = list?.path;
  if (here === undefined) return [];
  const use: DirectoryOption = { act: "use", path: here, name: folderName(here) };
  const up: DirectoryOption[] =
    list?.parent === undefined || search !== ""
      ? []
      : [{ act: "go", path: list.parent, name: folderName(list.parent), isUp: true }];
  return search === "" ? [use, ...up, ...listed] : listed;
}

/** The roots whose path begins with what is written: nothing above them can be looked into. */
export function rootOptions(text: string, roots: DirectoryList | undefined): DirectoryOption[] {
  return (roots?.directories ?? [])
    .filter(({ path }) => path.startsWith(text))
    .map(({ name, path, isRepository }) => ({ act: "go", path, name, isRepository, where: path }));
}

/** An absolute path that is being written: the directory that is whole, and the beginning of a name in it. */
function writtenPath(text: string): DirectoryQuery | undefined {
  if (!text.startsWith("/")) return undefined;
  const end = text.lastIndexOf("/");
  const search = text.slice(end + 1);
  return { path: text.slice(0, end) || "/", ...(search !== "" && { search }) };
}

function hasText(name: string, search: string): boolean {
  return name.toLowerCase().includes(search.toLowerCase());
}
