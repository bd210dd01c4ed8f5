/**
 * The files that clients name, at the node that has them: a directory at a node with a root around it, what belongs to a
 * session at the node that has its files. This node only says who that is; whoever is asked resolves links and compares
 * with its own roots, and never asks further.
 */
import { basename, resolve } from "node:path";
import { InterlinguaError } from "../core/error.ts";
import { isInside } from "../core/is-inside.ts";
import {
  type DirectoryListing,
  type DirectoryQuery,
  type FindFilesOptions,
  type FoundFiles,
  type NodeFiles,
  namesPath,
} from "../core/node-files.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import { type PeerRoutes, type PeerTransport, PeerUnreachableError } from "./peers/peer-transport.ts";
import { hasFilesOf, type PlacementNode, placeSession } from "./placement.ts";
import {
  directoryUnreachable,
  forkElsewhere,
  nodeUnreachable,
  noNodeFor,
  outsideAllRoots,
} from "./routing-refusals.ts";
import type { SessionPlaces } from "./session-places.ts";

export interface ClusterFilesOptions {
  /** Those of this node. */
  local: NodeFiles;
  places: SessionPlaces;
  transport: PeerTransport;
  /** The number of this node. */
  node(): number;
  /** From 0 to 1. */
  random(): number;
}

/** The path of questions about files between nodes. */
export const FILES_PATH = "/files";

/** Everything that another node can ask for. */
type FilesQuestion =
  | { ask: "directory"; path: string }
  | { ask: "directoryFor"; session: string; path: string }
  | { ask: "checkParts"; session: string; parts: readonly PromptPart[]; within?: string }
  | ({ ask: "findFiles" } & FindFilesOptions)
  | ({ ask: "listDirectories" } & DirectoryQuery);

interface FoundNode {
  there: PlacementNode;
  /** All that live. */
  nodes: readonly PlacementNode[];
}

export class ClusterFiles implements NodeFiles {
  readonly #options: ClusterFilesOptions;
  readonly #local: NodeFiles;

  constructor(options: ClusterFilesOptions) {
    this.#options = options;
    this.#local = options.local;
  }

  /** Answers other nodes, for the roots of this one. */
  serve(routes: PeerRoutes): void {
    routes.onCall(FILES_PATH, (body) => this.#answer((body ?? {}) as FilesQuestion));
  }

  async directory(path: string | undefined, opened?: string): Promise<string> {
    const here = () => this.#local.directory(path, opened);
    return path === undefined ? here() : this.#byRoot(path, here, { ask: "directory", path });
  }

  async directoryFor(session: string, path: string, isOpened: boolean): Promise<string> {
    const here = () => this.#local.directoryFor(session, path, isOpened);
    const found = await this.#find(session);
    if (!found) return here();
    const { there, nodes } = found;
    try {
      return await this.#at(there, session, here, { ask: "directoryFor", session, path });
    } catch (error) {
      const isElsewhere = !hasRootAround(there, path) && nodes.some((node) => hasRootAround(node, path));
      throw isOutside(error) && isElsewhere ? forkElsewhere(session, path) : error;
    }
  }

  async checkParts(session: string, parts: readonly PromptPart[], within?: string): Promise<void> {
    const isPath = parts.map(namesPath);
    // What comes with its content needs nobody else.
    await this.#local.checkParts(
      session,
      parts.map((part, index) => (isPath[index] ? NO_PATH : part)),
    );
    if (!isPath.includes(true)) return;
    const paths = parts.map((part, index) => (isPath[index] ? withoutContent(part) : NO_PATH));
    const here = () => this.#local.checkParts(session, paths, within);
    // One that does not exist yet is nowhere: the node that gets it looks at what it is prompted with.
    const absent = within === undefined ? async () => {} : here;
    await this.#bySession(session, here, { ask: "checkParts", session, parts: paths, within }, absent);
  }

  findFiles(options: FindFilesOptions): Promise<FoundFiles> {
    const here = () => this.#local.findFiles(options);
    return this.#bySession(options.session, here, { ask: "findFiles", ...options });
  }

  async listDirectories(query: DirectoryQuery): Promise<DirectoryListing> {
    const here = () => this.#local.listDirectories(query);
    const { path, search, limit } = query;
    if (path !== undefined) return this.#byRoot(path, here, { ask: "listDirectories", ...query });
    const own = await here();
    // A search goes through the roots of this node.
    return search ? own : this.#withOtherRoots(own, limit);
  }

  async #answer(question: FilesQuestion): Promise<unknown> {
    switch (question.ask) {
      case "directory":
        return this.#local.directory(question.path);
      case "directoryFor":
        return this.#local.directoryFor(question.session, question.path, false);
      case "checkParts":
        return this.#local.checkParts(question.session, question.parts, question.within);
      case "findFiles":
        return this.#local.findFiles(question);
      case "listDirectories":
        return this.#local.listDirectories(question);
      default:
        throw new InterlinguaError(
          "unsupported",
          "This node does not know such a question. Bring it up to date.",
        );
    }
  }

  /** Here if this node may, else at one that has a root around the path. */
  async #byRoot<Result>(path: string, here: () => Promise<Result>, question: FilesQuestion): Promise<Result> {
    try {
      return await here();
    } catch (error) {
      if (!isOutside(error)) throw error;
    }
    const nodes = await this.#options.places.nodes();
    let refusal: unknown;
    for (const node of this.#holders(nodes, path))
      try {
        return (await this.#ask(node, question)) as Result;
      } catch (error) {
        // Another one may have it, too.
        refusal = error instanceof PeerUnreachableError ? directoryUnreachable(path, node, error) : error;
      }
    throw refusal ?? outsideAllRoots(path, nodes);
  }

  /** Where the files of the session are; `absent` where nobody knows the session. */
  async #bySession<Result>(
    session: string,
    here: () => Promise<Result>,
    question: FilesQuestion,
    absent = here,
  ): Promise<Result> {
    const found = await this.#find(session);
    return found ? this.#at(found.there, session, here, question) : absent();
  }

  /** The node that has the files of the session. Undefined where nobody knows the session. */
  async #find(session: string): Promise<FoundNode | undefined> {
    const { places, node, random } = this.#options;
    const place = await places.find(session);
    if (!place) return undefined;
    const { owner, needs } = place;
    const nodes = await places.nodes();
    // Whoever has only its log while its home is dead knows nothing of its files.
    const working = nodes.find(({ id }) => id === owner?.id);
    const isThere = working !== undefined && hasFilesOf(working, needs);
    const there = isThere ? working : placeSession(nodes, needs, { self: node(), random });
    if (!there) throw noNodeFor(session, needs, nodes);
    return { there, nodes };
  }

  async #at<Result>(
    there: PlacementNode,
    session: string,
    here: () => Promise<Result>,
    question: FilesQuestion,
  ): Promise<Result> {
    if (there.id === this.#options.node()) return here();
    try {
      return (await this.#ask(there, question)) as Result;
    } catch (error) {
      throw error instanceof PeerUnreachableError ? nodeUnreachable(session, error) : error;
    }
  }

  /** Those besides this one with a root around a path, the ones that stay first. */
  #holders(nodes: readonly PlacementNode[], path: string): PlacementNode[] {
    return nodes
      .filter((node) => node.id !== this.#options.node() && hasRootAround(node, path))
      .toSorted((one, other) => Number(one.isDraining) - Number(other.isDraining));
  }

  async #withOtherRoots(own: DirectoryListing, limit: number): Promise<DirectoryListing> {
    const nodes = await this.#options.places.nodes();
    const roots = nodes.flatMap(({ profile }) => profile?.roots ?? []);
    const known = new Map([
      ...roots.map(({ path }) => [path, { name: basename(path) || path, path }] as const),
      ...own.directories.map((directory) => [directory.path, directory] as const),
    ]);
    const others = [...known.values()].filter((directory) => !own.directories.includes(directory));
    const directories = [...own.directories, ...others];
    const isTruncated = own.isTruncated || directories.length > limit;
    return {
      ...own,
      directories: directories.slice(0, limit),
      ...(isTruncated && { isTruncated: true }),
    };
  }

  #ask(node: PlacementNode, question: FilesQuestion): Promise<unknown> {
    return this.#options.transport.call(node, FILES_PATH, question);
  }
}

function isOutside(error: unknown): boolean {
  return InterlinguaError.isInstance(error) && error.code === "outside_roots";
}

/** By the path as it is, or as the root was named. What links below it lead to only that node knows. */
function hasRootAround({ profile }: PlacementNode, path: string): boolean {
  const wanted = resolve(path);
  const roots = profile?.roots ?? [];
  return roots.some((root) => isInside(wanted, root.path) || isInside(wanted, root.named ?? root.path));
}

/** In the place of a part that names no path, so that the others keep theirs. */
const NO_PATH: PromptPart = { type: "text", text: "" };

/** What is looked at is the path. */
function withoutContent(part: PromptPart): PromptPart {
  return part.type === "context" ? { type: "context", path: part.path } : part;
}
