/** Runs the real git on a repository of ours, so that nothing of the person's settings reaches it or is changed by it. */
import { searchPath } from "../core/search-path.ts";
import { assertGitCanAnswer } from "./blocking-files.ts";
import { lockEnvironment } from "./lock-context.ts";
import {
  BYTES,
  FIRST_QUESTION_MS,
  type GitOutput,
  type GitProcessOptions,
  QUESTION_MS,
  runGit,
  WORK_MS,
} from "./run-git.ts";

export {
  BYTES,
  GitError,
  GitMemoryError,
  type GitOutput,
  GitTimeoutError,
  QUESTION_MS,
  WORK_MS,
} from "./run-git.ts";

/** The id of no object, which stands for "not there". */
export const NO_OBJECT = "0".repeat(40);

export interface GitRun
  extends Pick<GitProcessOptions, "input" | "signal" | "maxOutputBytes" | "allowedCodes" | "isBackground"> {
  readonly index?: string;
  readonly settings?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Git is ended when it takes longer. */
  readonly limitMs?: number;
}

/** Settings that no config of a repository can overrule: nothing that it names is run. */
const SAFE_SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "submodule.recurse=false",
];

/** Git before 2.44 knows no `GIT_NO_LAZY_FETCH`: a fetch from the remote of a partial clone would run what that names. */
const NO_TRANSPORT = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };

/** Commands that go through the files of a person, and how long they may take. Any file there may be a pipe. */
const WALKS: ReadonlySet<string> = new Set(["ls-files", "check-ignore", "diff-files"]);
const WALK_MS = 60_000;

/** Commands on a repository of a person that take as long as its files are large. */
const READS_ALL_FILES: ReadonlySet<string> = new Set(["checkout-index", "update-index"]);

/** Commands that say which repository and which settings a directory has. */
const FIRST_QUESTIONS: ReadonlySet<string> = new Set(["config", "rev-parse"]);

/** Commands that start no filter and no ssh, which may not start with little memory. */
const STARTS_NOTHING: ReadonlySet<string> = new Set([
  ...FIRST_QUESTIONS,
  ...["cat-file", "check-ignore", "for-each-ref", "ls-files", "ls-tree", "rev-list", "symbolic-ref"],
]);

const STORE_SETTINGS = [
  ...SAFE_SETTINGS,
  "core.autocrlf=false",
  "core.safecrlf=false",
  "core.protectNTFS=false",
  "core.protectHFS=false",
  "core.fsync=objects,reference",
  "gc.auto=0",
  "maintenance.auto=false",
  "advice.ignoredHook=false",
];

const STORE_ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  ...NO_TRANSPORT,
  GIT_LITERAL_PATHSPECS: "1",
  // A ref is a file: we write some ourselves.
  GIT_DEFAULT_REF_FORMAT: "files",
  LC_ALL: "C",
};

export interface AskOptions extends Pick<GitRun, "signal" | "maxOutputBytes" | "settings"> {
  /** Where git starts, such as a descriptor of the directory; the directory itself when absent. */
  readonly cwd?: string;
}

/**
 * Git with the person's own settings, only to ask about their repository: `rev-parse`, `config --get`, `ls-files` and
 * `check-ignore` write nothing. A repository of another user may be asked too: whatever could run a program is off.
 */
export function askGit(
  directory: string,
  args: readonly string[],
  { settings = [], ...options }: AskOptions = {},
): Promise<GitOutput> {
  return runAsPerson(directory, [...SAFE_SETTINGS, "safe.directory=*", ...settings], args, {
    ...options,
    limitMs: FIRST_QUESTIONS.has(args[0] ?? "") ? FIRST_QUESTION_MS : QUESTION_MS,
    environment: NO_TRANSPORT,
  });
}

/**
 * The same, to make and remove a worktree. Filters of the repository run, so it has to be one that git trusts: of the same
 * user, or named by them.
 */
export function changeGit(directory: string, args: readonly string[]): Promise<GitOutput> {
  const limitMs = READS_ALL_FILES.has(args[0] ?? "") ? WORK_MS : WALK_MS;
  return runAsPerson(directory, SAFE_SETTINGS, args, { environment: NO_TRANSPORT, limitMs });
}

const CLONE_SETTINGS = [
  ...SAFE_SETTINGS,
  "gc.auto=0",
  "maintenance.auto=false",
  "protocol.ext.allow=never",
  "core.splitIndex=false",
];

/** The same, to carry files from one clone of a repository to another. Programs of the person run: filters, and ssh. */
export function cloneGit(
  directory: string,
  args: readonly string[],
  { settings = [], ...options }: Omit<GitRun, "isBackground"> = {},
): Promise<GitOutput> {
  return runAsPerson(directory, [...CLONE_SETTINGS, ...settings], args, options);
}

async function runAsPerson(
  directory: string,
  settings: readonly string[],
  args: readonly string[],
  {
    environment: more,
    index,
    limitMs = WORK_MS,
    cwd = directory,
    ...options
  }: Omit<GitRun, "settings" | "isBackground"> & Pick<AskOptions, "cwd"> = {},
): Promise<GitOutput> {
  const ceiling = await assertGitCanAnswer(directory);
  const environment = {
    ...withoutGit(process.env),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    LC_ALL: "C",
    ...(ceiling !== undefined && { GIT_CEILING_DIRECTORIES: ceiling }),
    ...more,
    ...(index !== undefined && { GIT_INDEX_FILE: index }),
  };
  return runGit(args[0] ?? "", [...asOptions(settings), ...args], {
    ...options,
    limitMs,
    cwd,
    directory,
    environment,
    readsForeignFiles: true,
    hasLimitedMemory: STARTS_NOTHING.has(args[0] ?? ""),
  });
}

export interface GitOptions {
  /** The file with ignore rules that stand in no `.gitignore`. */
  readonly excludes?: string;
  /** Whether what it writes has to be on disk before it ends. */
  readonly isDurable?: boolean;
}

/** Git on a repository of ours, for the files under a root. */
export class Git {
  readonly store: string;
  readonly root: string;
  readonly #settings: readonly string[];

  constructor(store: string, root: string, { excludes = "/dev/null", isDurable = false }: GitOptions = {}) {
    this.store = store;
    this.root = root;
    // What was only handed to the disk survives the daemon, and a power cut leaves it whole or takes it as a whole.
    const method = isDurable ? "batch" : "writeout-only";
    this.#settings = [...STORE_SETTINGS, `core.excludesFile=${excludes}`, `core.fsyncMethod=${method}`];
  }

  async create(): Promise<void> {
    const environment = { ...withoutGit(process.env), ...STORE_ENVIRONMENT, ...lockEnvironment() };
    const args = ["init", "-q", "--bare", "--template=", "--object-format=sha1", this.store];
    await runGit("init", args, { cwd: this.root, environment, limitMs: QUESTION_MS });
  }

  /** Rejects with a `GitError` when git does not succeed, and with a `GitTimeoutError` when it takes too long. */
  run(args: readonly string[], options: GitRun = {}): Promise<GitOutput> {
    const { environment, index, settings = [], ...rest } = options;
    const limitMs = rest.limitMs ?? (WALKS.has(args[0] ?? "") ? WALK_MS : WORK_MS);
    const all = [
      `--git-dir=${this.store}`,
      `--work-tree=${this.root}`,
      ...asOptions([...this.#settings, ...settings]),
      ...args,
    ];
    return runGit(args[0] ?? "", all, {
      ...rest,
      limitMs,
      cwd: this.root,
      readsForeignFiles: this.root !== this.store,
      hasLimitedMemory: this.root !== this.store,
      environment: {
        ...withoutGit(process.env),
        ...STORE_ENVIRONMENT,
        ...lockEnvironment(),
        ...environment,
        ...(index !== undefined && { GIT_INDEX_FILE: index }),
      },
    });
  }

  /** What git says in one line, such as an id. */
  async line(args: readonly string[], options: GitRun = {}): Promise<string> {
    return (await this.run(args, options)).stdout.toString().trim();
  }
}

function asOptions(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ["-c", setting]);
}

/** Without settings for git, and with a PATH that leads to no program of the project. */
function withoutGit(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isKept = ([name]: [string, unknown]) => !name.startsWith("GIT_") && name !== "PATH";
  const path = searchPath(environment);
  return {
    ...Object.fromEntries(Object.entries(environment).filter(isKept)),
    ...(path !== "" && { PATH: path }),
  };
}

/** The entries of output with `-z`, as latin1. */
export function zeroSeparated(output: Buffer): string[] {
  return output.toString(BYTES).split("\0").slice(0, -1);
}
