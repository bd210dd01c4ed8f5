/** What crosses the wire of `/v1`. Written by `npm run wire-types` from the OpenAPI document. */

export interface Routes {
  "POST /v1/sessions/{id}/attach": { params: { id: string }; answer: Schemas["SessionDetails"] };
  "POST /v1/sessions/{id}": {
    params: { id: string };
    body: Schemas["CreateSession"];
    answer: Schemas["SessionDetails"];
  };
  "DELETE /v1/sessions/{id}": { params: { id: string } };
  "GET /v1/sessions/{id}": { params: { id: string }; answer: Schemas["SessionDetails"] };
  "PATCH /v1/sessions/{id}": {
    params: { id: string };
    body: Schemas["UpdateSession"];
    answer: Schemas["SessionDetails"];
  };
  "POST /v1/sessions": { body: Schemas["CreateSession"]; answer: Schemas["SessionDetails"] };
  "GET /v1/sessions": {
    query: {
      /** From the page before */
      cursor?: string;
      limit?: number;
      agent?: string;
      status?: Schemas["SessionStatus"];
      /** Only those that work in this directory, not in one below it; an absolute path, links are followed */
      cwd?: string;
      /** Words to look for in id, title and prompts */
      search?: string;
      /** Which: those that are not archived, those that are, or both */
      archived?: "false" | "true" | "any";
      /** Only those that are pinned, or only the others */
      pinned?: "true" | "false";
    };
    answer: Schemas["SessionList"];
  };
  "POST /v1/sessions/{id}/detach": { params: { id: string }; answer: Schemas["SessionDetails"] };
  "POST /v1/sessions/{id}/fork": {
    params: { id: string };
    body?: Schemas["Fork"];
    answer: Schemas["SessionDetails"];
  };
  "POST /v1/sessions/{id}/interrupt": {
    params: { id: string };
    body?: Schemas["Interrupt"];
    answer: Schemas["Interrupted"];
  };
  "POST /v1/sessions/{id}/rewind": {
    params: { id: string };
    body: Schemas["Rewind"];
    answer: Schemas["Rewound"];
  };
  "GET /v1/sessions/{id}/files": {
    params: { id: string };
    query: {
      /** Letters of the name or the path, in this order */
      search?: string;
      limit?: number;
    };
    answer: Schemas["FileList"];
  };
  "GET /v1/directories": {
    query: {
      /** An absolute path inside the allowed roots. The roots themselves when left out */
      path?: string;
      /** Those with this in their names, in upper or lower case: there and further below, nearest first */
      search?: string;
      limit?: number;
    };
    answer: Schemas["DirectoryList"];
  };
  "PATCH /v1/sessions/{id}/queue/{message}": {
    params: { id: string; message: string };
    body: Schemas["ChangePrompt"];
    answer: Schemas["QueuedPrompt"];
  };
  "DELETE /v1/sessions/{id}/queue/{message}": { params: { id: string; message: string } };
  "GET /v1/sessions/{id}/messages/{message}": {
    params: { id: string; message: string };
    query: {
      /** Any of `raw` and `result`, with a comma between */
      include?: string;
    };
    answer: Schemas["MessageDetails"];
  };
  "GET /v1/sessions/{id}/messages": {
    params: { id: string };
    query: {
      /** Give the messages before this one */
      before?: string;
      limit?: number;
    };
    answer: Schemas["MessageList"];
  };
  "POST /v1/sessions/{id}/messages": {
    params: { id: string };
    body: Schemas["SendPrompt"];
    answer: Schemas["PromptReceipt"];
  };
  "GET /v1/sessions/{id}/queue": {
    params: { id: string };
    query: {
      /** From the page before */
      cursor?: string;
    };
    answer: Schemas["Queue"];
  };
  "POST /v1/sessions/{id}/queue/release": { params: { id: string }; answer: Schemas["ReleasedQueue"] };
  "POST /v1/sessions/{id}/queue/{message}/send": {
    params: { id: string; message: string };
    answer: Schemas["SentPrompt"];
  };
  "POST /v1/sessions/{id}/messages/stream": {
    params: { id: string };
    query: {
      /** `raw` puts the raw record an event came from beside it, as `rawRecord` */
      include?: "raw";
    };
    body: Schemas["SendPrompt"];
  };
  "GET /v1/search": {
    query: {
      /** Words that a message has to have, all of them; the last one may be the beginning of one */
      q: string;
      limit?: number;
      /** From the page before */
      cursor?: string;
      /** Only in this session */
      session?: string;
      /** In which sessions: all, those that are not archived, or those that are */
      archived?: "any" | "false" | "true";
    };
    answer: Schemas["SearchResults"];
  };
  "GET /v1/sessions/{id}/events": {
    params: { id: string };
    query: {
      /** Give the events after this seq; 0 or nothing begins at the start */
      after?: number;
      /** Another name for `after`; only one of them can be given */
      offset?: number;
      limit?: number;
      /** `raw` puts the raw record an event came from beside it, as `rawRecord` */
      include?: "raw";
    };
    answer: Schemas["EventPage"];
  };
  "GET /v1/sessions/{id}/raw": {
    params: { id: string };
    query: {
      /** Give the records after this rawSeq */
      after?: number;
      limit?: number;
    };
    answer: Schemas["RawPage"];
  };
  "GET /v1/sessions/{id}/events/sse": {
    params: { id: string };
    query: {
      /** Begin after this seq. The header `Last-Event-ID` wins over it, so that a browser resumes */
      after?: number;
      /** Another name for `after`; only one of them can be given */
      offset?: number;
      /** `raw` puts the raw record an event came from beside it, as `rawRecord` */
      include?: "raw";
    };
  };
  "GET /v1/feed/sse": {
    query: {
      /** A name of its own choice, with which the reader can look at another session later */
      reader?: string;
      /** The session its reader looks at: the stream counts there as one that is open */
      watching?: string;
      /** The `id` of the last frame that was read. The header `Last-Event-ID` wins */
      after?: string;
    };
  };
  "GET /v1/events/sse": {
    query: {
      /** Up to 50 sessions, each with the seq to begin after: `a:12,b:40`. `Last-Event-ID` wins over it */
      after?: string;
    };
  };
  "GET /v1/sessions/{id}/recording": { params: { id: string } };
  "GET /v1/sessions/{id}/xray": {
    params: { id: string };
    query: {
      /** The entry of the log; the newest when left out */
      seq?: number;
    };
    answer: Schemas["Xray"];
  };
  "GET /v1/asks": {
    query: {
      session?: string;
      /** From the page before */
      cursor?: string;
    };
    answer: Schemas["AskList"];
  };
  "POST /v1/sessions/{id}/questions/{ask}/reject": {
    params: { id: string; ask: string };
    body?: Schemas["QuestionReject"];
    answer: Schemas["Ask"];
  };
  "POST /v1/sessions/{id}/asks/{ask}/reply": {
    params: { id: string; ask: string };
    body: Schemas["AskReply"];
    answer: Schemas["Ask"];
  };
  "POST /v1/sessions/{id}/permissions/{ask}/reply": {
    params: { id: string; ask: string };
    body: Schemas["PermissionReply"];
    answer: Schemas["Ask"];
  };
  "POST /v1/sessions/{id}/questions/{ask}/reply": {
    params: { id: string; ask: string };
    body: Schemas["QuestionReply"];
    answer: Schemas["Ask"];
  };
  "GET /v1/sessions/{id}/tasks": { params: { id: string }; answer: Schemas["TaskList"] };
  "POST /v1/sessions/{id}/tasks/{task}/stop": {
    params: { id: string; task: string };
    answer: Schemas["Task"];
  };
  "POST /v1/sessions/{id}/approve": { params: { id: string }; answer: Schemas["Approved"] };
  "POST /v1/workspaces/gc": { answer: Schemas["CollectedGarbage"] };
  "GET /v1/sessions/{id}/changes": {
    params: { id: string };
    query: {
      /** What this turn changed */
      turn?: string;
      /** What turns changed since this checkpoint */
      since?: string;
      /** `base`: with what each file held before */
      include?: string;
    };
    answer: Schemas["FileChanges"];
  };
  "GET /v1/sessions/{id}/checkpoints": { params: { id: string }; answer: Schemas["CheckpointList"] };
  "GET /v1/workspaces": { answer: Schemas["Workspaces"] };
  "POST /v1/sessions/{id}/reset": {
    params: { id: string };
    body?: Schemas["Reset"];
    answer: Schemas["Restored"];
  };
  "POST /v1/sessions/{id}/restore": {
    params: { id: string };
    body: Schemas["Restore"];
    answer: Schemas["Restored"];
  };
  "GET /v1/sessions/{id}/presence": { params: { id: string }; answer: Schemas["Presence"] };
  "PATCH /v1/feed/readers/{reader}": { params: { reader: string }; body: Schemas["Watching"] };
  "POST /v1/sessions/{id}/invitations": {
    params: { id: string };
    body?: Schemas["CreateInvitation"];
    answer: Schemas["CreatedInvitation"];
  };
  "GET /v1/sessions/{id}/invitations": { params: { id: string }; answer: Schemas["InvitationList"] };
  "POST /v1/tokens": { body: Schemas["CreateToken"]; answer: Schemas["CreatedToken"] };
  "GET /v1/tokens": { answer: Schemas["TokenList"] };
  "GET /v1/me": { answer: Schemas["Me"] };
  "GET /v1/audit": {
    query: {
      limit?: number;
      /** Only entries with a smaller `seq`: the `before` of the page before */
      before?: number;
      /** Only entries of one session */
      session?: string;
      /** Only what one name did; `anna` is also `anna (phone)` */
      by?: string;
    };
    answer: Schemas["Audit"];
  };
  "POST /v1/invitations/redeem": { body: Schemas["RedeemInvitation"]; answer: Schemas["RedeemedInvitation"] };
  "DELETE /v1/sessions/{id}/invitations/{invitation}": { params: { id: string; invitation: string } };
  "DELETE /v1/tokens/{token}": { params: { token: string } };
  "GET /v1/agents/{agent}": { params: { agent: string }; answer: Schemas["Agent"] };
  "GET /v1/health": { answer: Schemas["Health"] };
  "GET /v1/health/live": { answer: Schemas["Liveness"] };
  "GET /metrics": object;
  "GET /v1/openapi.json": { answer: { openapi: string } & { [key: string]: unknown } };
  "GET /v1/health/ready": { answer: Schemas["Readiness"] };
  "GET /v1/usage": {
    query: {
      session?: string;
      agent?: string;
      /** The first day, in UTC */
      from?: string;
      /** The last day, in UTC */
      to?: string;
      /** What to add up by: any of `session`, `agent`, `day`, `model` and `directory`; the first three by default */
      by?: string;
      /** From the page before */
      cursor?: string;
      /** `csv` gives all rows as comma-separated values, as `accept: text/csv` does */
      format?: "json" | "csv";
    };
    answer: Schemas["Usage"];
  };
  "POST /v1/agents/{agent}/install": { params: { agent: string }; answer: Schemas["Agent"] };
  "GET /v1/agents": { answer: Schemas["AgentList"] };
  "GET /v1/nodes": { answer: Schemas["NodeList"] };
}

export interface Schemas {
  SessionDetails: {
    id: string;
    agent: string;
    cwd: string;
    title?: string;
    status: Schemas["SessionStatus"];
    model?: string;
    mode?: string;
    permissionMode?: string;
    metadata?: { [key: string]: unknown };
    /** The agent's own id of the conversation */
    agentSessionId?: string;
    createdAt: number;
    updatedAt: number;
    /** The seq of the newest event */
    head: number;
    /** The rawSeq of the newest raw record */
    rawHead: number;
    openAsks: number;
    queued: number;
    /** The session it began as a copy of, and the first message it does not have */
    forkedFrom?: { session: string; message?: string };
    /** What its turns cost so far, in dollars; left out while its agent reported none */
    cost?: number;
    /** Kept on top; left out when it is not */
    pinned?: true;
    /** Left out of lists unless they ask for it */
    archived?: true;
    /** When a restart of the daemon ended its last turn; left out once another turn begins */
    cutOffAt?: number;
    /** The node that has it now, by name; left out where none has, and without a cluster */
    node?: string;
    /** The number of that node in `GET /v1/nodes`: two nodes may have one name */
    nodeNumber?: number;
    /** Whether the agent runs */
    attached: boolean;
    agentVersion?: string;
    models?: { id: string; name?: string; description?: string }[];
    modes?: { id: string; name?: string; description?: string }[];
    commands?: { name: string; description?: string; hint?: string }[];
    /** Settings that are neither model nor mode, with the values in force */
    settings?: {
      id: string;
      name: string;
      description?: string;
      category?: string;
      value: string | boolean;
      choices?: { id: string; name?: string; description?: string }[];
    }[];
    tools?: string[];
    /** How full the agent's context window last was, in tokens */
    context?: { used: number; size?: number };
    /** Names of the environment values it was given */
    env?: string[];
    /** Whether the agent may be installed when it is needed and missing; the config says when left out */
    install?: "auto" | "never";
    /** Whether the values have to be given again before the next prompt */
    envRequired: boolean;
    /** Whether checkpoints of the files are taken around turns */
    checkpoints: "on" | "off";
    /** Why there are none although they are on */
    checkpointObstacle?: string;
    /** A turn that is cut off is continued; left out where it waits for a prompt */
    onLost?: "continue";
    /** Prompts wait and none of them begins by itself */
    queueHeld?: {
      /** Who wanted it, by name */
      by?: string;
      at: number;
    };
    /** What has to come before anything of it begins */
    waitsFor?: {
      /** The node that has its files, and is gone */
      node?: string;
      /** The number that this node last had */
      nodeNumber?: number;
      /** Its agent, which no node has */
      agent?: string;
    };
    /** Whether its agent asks a person before it acts, as the session works now */
    asks: {
      asks: "yes" | "no" | "unknown";
      /** The field that decides: `permissionMode`, `settings.allow_all` */
      path?: string;
      reason: string;
    };
    /** What people allowed for more than once, the newest fifty answers, oldest first */
    alwaysAllowed?: {
      ask: string;
      /** Where in the log it was answered */
      seq: number;
      /** What was asked */
      title: string;
      /** The option that was chosen, in the agent's words */
      label: string;
      covers?: string[];
      storedIn?: string;
      /** Who allowed it, by name */
      by: string;
      at: number;
    }[];
    /** The sessions that began as copies of this one, the newest hundred */
    forks?: string[];
  };
  SessionStatus: "idle" | "running" | "waiting" | "recovering" | "failed" | "closed";
  Problem: {
    /** An URN that names the code */
    type: string;
    title: string;
    status: number;
    /** A sentence that says what to do */
    detail: string;
    code: Schemas["ErrorCode"];
    /** Which fields are wrong */
    errors?: { path: string; message: string }[];
    /** The agents there are */
    agents?: string[];
    /** Files it is about, relative to the session's directory */
    paths?: string[];
    /** The session that stands in the way */
    session?: { id: string; title?: string };
    /** The answer that came first */
    answer?: unknown;
  } & { [key: string]: unknown };
  ErrorCode:
    | "invalid_request"
    | "cursor_beyond_end"
    | "unauthorized"
    | "host_not_allowed"
    | "origin_not_allowed"
    | "forbidden"
    | "outside_roots"
    | "not_found"
    | "session_not_found"
    | "message_not_found"
    | "checkpoint_not_found"
    | "task_not_found"
    | "ask_not_found"
    | "agent_not_found"
    | "token_not_found"
    | "invitation_not_found"
    | "method_not_allowed"
    | "session_exists"
    | "session_closed"
    | "session_busy"
    | "message_exists"
    | "message_not_queued"
    | "ask_answered"
    | "ask_closed"
    | "workspace_conflict"
    | "workspace_busy"
    | "checkpoint_elsewhere"
    | "checkpoints_off"
    | "env_required"
    | "agent_not_installed"
    | "agent_not_signed_in"
    | "conversation_lost"
    | "agent_version"
    | "token_exists"
    | "invitation_used"
    | "invitation_expired"
    | "body_too_large"
    | "body_too_complex"
    | "unsupported_media_type"
    | "not_owner"
    | "fork_too_large"
    | "worktree_impossible"
    | "not_a_directory"
    | "unsupported"
    | "option_not_offered"
    | "upgrade_required"
    | "too_many_requests"
    | "queue_full"
    | "too_many_sessions"
    | "too_many_tokens"
    | "session_damaged"
    | "database_damaged"
    | "workspace_failed"
    | "internal"
    | "agent_failed"
    | "resume_failed"
    | "install_failed"
    | "agent_timeout"
    | "shutting_down"
    | "events_lost"
    | "session_moved"
    | "node_unreachable"
    | "store_busy"
    | "store_unavailable";
  CreateSession: {
    id?: string;
    agent: string;
    /** An absolute path inside the allowed roots. When left out: where the daemon was started, or the first root if that is outside */
    cwd?: string;
    /** Make a git worktree of that directory, on a branch of its own, with the files of the last commit, and work there */
    worktree?: boolean;
    title?: string;
    model?: string;
    /** `build`, `plan` or a name of the agent's own */
    mode?: string;
    /** `default`, `plan`, `acceptEdits` or `bypass`, as far as the agent supports it */
    permissionMode?: string;
    /** Other settings of the agent by id, as the session's view shows them */
    settings?: { [key: string]: string | boolean };
    metadata?: { [key: string]: unknown };
    mcpServers?: { [key: string]: unknown };
    /** Kept in memory only and masked wherever a value appears */
    env?: { [key: string]: string };
    /** Settings only this agent understands */
    options?: { [key: string]: unknown };
    /** Whether the agent may be installed when it is needed and missing; the config says when left out */
    install?: "auto" | "never";
    /** Whether checkpoints of the files are taken around turns: on when left out */
    checkpoints?: "on" | "off";
    /** Whether a turn that a restart or a lost node cuts off is continued: `continue` sends the agent one prompt, `stop` waits for yours; the config says when left out */
    onLost?: "continue" | "stop";
  };
  Fork: {
    /** The user message that is left out, with its whole turn and all after it */
    before?: string;
    /** Where the new session works. When left out: where this one does */
    cwd?: string;
    /** Make a git worktree for the new session, with the files as they were where the copy ends */
    worktree?: boolean;
  };
  Interrupted: {
    interrupted: boolean;
    /** With `hold`: whether prompts wait that are held */
    held?: boolean;
  };
  Interrupt: {
    /** Stop only this turn; another one, begun meanwhile, goes on */
    turn?: string;
    /** Also hold prompts that wait, until a prompt is sent or they are released */
    hold?: boolean;
  };
  SessionList: { sessions: Schemas["Session"][]; cursor?: string };
  Session: {
    id: string;
    agent: string;
    cwd: string;
    title?: string;
    status: Schemas["SessionStatus"];
    model?: string;
    mode?: string;
    permissionMode?: string;
    metadata?: { [key: string]: unknown };
    /** The agent's own id of the conversation */
    agentSessionId?: string;
    createdAt: number;
    updatedAt: number;
    /** The seq of the newest event */
    head: number;
    /** The rawSeq of the newest raw record */
    rawHead: number;
    openAsks: number;
    queued: number;
    /** The session it began as a copy of, and the first message it does not have */
    forkedFrom?: { session: string; message?: string };
    /** What its turns cost so far, in dollars; left out while its agent reported none */
    cost?: number;
    /** Kept on top; left out when it is not */
    pinned?: true;
    /** Left out of lists unless they ask for it */
    archived?: true;
    /** When a restart of the daemon ended its last turn; left out once another turn begins */
    cutOffAt?: number;
    /** The node that has it now, by name; left out where none has, and without a cluster */
    node?: string;
    /** The number of that node in `GET /v1/nodes`: two nodes may have one name */
    nodeNumber?: number;
  };
  Rewound: {
    before: string;
    /** Whether the agent forgot it too */
    agentForgot: boolean;
    seq: number;
  };
  Rewind: {
    /** The user message that goes, with all after it */
    before: string;
  };
  UpdateSession: {
    /** Also of a closed session */
    title?: string;
    /** Keep it on top, or no longer; also a closed one */
    pinned?: boolean;
    /** Leave it out of lists, or show it again; what it does goes on. Also a closed one */
    archived?: boolean;
    model?: string;
    /** `build`, `plan` or a name of the agent's own */
    mode?: string;
    /** `default`, `plan`, `acceptEdits` or `bypass`, as far as the agent supports it */
    permissionMode?: string;
    /** Those named here; `null` leaves one to the agent again when it is next started */
    settings?: { [key: string]: string | boolean | null };
    metadata?: { [key: string]: unknown };
    /** Kept in memory only and masked wherever a value appears */
    env?: { [key: string]: string };
    /** Whether turns that are cut off from now on are continued */
    onLost?: "continue" | "stop";
    /** Closes the session and keeps its log */
    status?: "closed";
  };
  FileList: {
    /** The likeliest first */
    files: {
      /** Relative to the directory of the session */
      path: string;
      isDirectory?: true;
    }[];
    /** The directory has more files than were looked at */
    isTruncated?: true;
  };
  DirectoryList: {
    /** The real path, links resolved. Absent for the list of the roots */
    path?: string;
    /** The directory above, where that is inside the roots */
    parent?: string;
    /** It is in a git repository, as far as that is seen from inside the roots */
    isInRepository?: true;
    /** By name, hidden ones last, at most 1,000; with `search` the nearest first */
    directories: {
      name: string;
      path: string;
      /** It is the top of a git repository */
      isRepository?: true;
      /** Its name begins with a dot */
      isHidden?: true;
    }[];
    /** There are more, or more to look through */
    isTruncated?: true;
  };
  QueuedPrompt: {
    message: string;
    parts: Schemas["PromptPart"][];
    bytes: number;
    whenBusy: "queue" | "steer" | "reject";
    settings?: { [key: string]: string | boolean };
    /** Who sent it, by name */
    by?: string;
    /** The id of the token it came with. Absent for the token of the daemon itself */
    author?: string;
    at: number;
    seq: number;
    /** It is skipped until somebody sends it now or releases the queue; the others run */
    held?: true;
    /** Why it is held */
    reason?: string;
  };
  PromptPart: Schemas["TextPromptPart"] | Schemas["FilePromptPart"] | Schemas["ContextPromptPart"];
  TextPromptPart: { type: "text"; text: string };
  FilePromptPart: { type: "file"; url: string; mediaType: string; filename?: string };
  ContextPromptPart: {
    type: "context";
    path: string;
    language?: string;
    content?: string;
    selection?: string | { start: number; end: number };
  };
  ChangePrompt: {
    /** Short for one text part */
    text?: string;
    parts?: Schemas["PromptPart"][];
    /** The waiting prompt it is put before; `null` puts it behind all */
    before?: string | null;
  };
  MessageDetails: {
    message: Schemas["Message"];
    state: "queued" | "withdrawn" | "streaming" | "done";
    turn?: string;
    firstSeq: number;
    lastSeq: number;
    /** Set when the conversation was rewound past it */
    rewoundAt?: number;
    /** The raw records it was made from, and those between */
    raw?: { raws: Schemas["RawRecord"][]; hasMore: boolean };
    /** How its turn ended, with the native record that said so */
    result?: { event: Schemas["Event"]; raw?: Schemas["RawRecord"] };
  };
  Message: {
    id: string;
    session: string;
    parent?: string;
    role: "user" | "assistant" | "system";
    type: "prompt" | "response" | "trigger";
    content: Schemas["ContentPart"][];
    metadata: {
      agent: string;
      model?: string;
      turn?: string;
      outcome?: string;
      error?: { code: string; message: string };
      usage?: {
        input?: number;
        output?: number;
        reasoning?: number;
        cacheRead?: number;
        cacheWrite?: number;
      };
      cost?: number;
      durationMs?: number;
      waitedMs?: number;
      by?: string;
      checkpoint?: string;
    };
    createdAt: number;
    updatedAt: number;
    firstSeq: number;
    lastSeq: number;
  };
  ContentPart:
    | Schemas["TextContentPart"]
    | Schemas["ReasoningContentPart"]
    | Schemas["FileContentPart"]
    | Schemas["ContextContentPart"]
    | Schemas["SourceContentPart"]
    | Schemas["ToolCallContentPart"]
    | Schemas["ToolResultContentPart"]
    | Schemas["AskContentPart"]
    | Schemas["FileEditContentPart"]
    | Schemas["NoticeContentPart"];
  TextContentPart: {
    type: "text";
    text: string;
    purpose?: "commentary" | "answer" | "plan";
    parent?: string;
    task?: string;
  };
  ReasoningContentPart: { type: "reasoning"; text: string; parent?: string; task?: string };
  FileContentPart: {
    type: "file";
    url: string;
    mediaType: string;
    filename?: string;
    parent?: string;
    task?: string;
  };
  ContextContentPart: {
    type: "context";
    path: string;
    language?: string;
    content?: string;
    selection?: string | { start: number; end: number };
    parent?: string;
    task?: string;
  };
  SourceContentPart: {
    type: "source";
    id: string;
    url?: string;
    title?: string;
    mediaType?: string;
    filename?: string;
    parent?: string;
    task?: string;
  };
  ToolCallContentPart: {
    type: "tool_call";
    call: string;
    name: string;
    title?: string;
    kind?: string;
    locations?: { path: string; line?: number }[];
    input?: unknown;
    edited?: { by: string; proposed?: unknown };
    parent?: string;
    task?: string;
  };
  ToolResultContentPart: {
    type: "tool_result";
    call: string;
    state: "done" | "failed" | "denied" | "abandoned";
    output?: unknown;
    error?: string;
    truncatedFrom?: number;
    exitCode?: number | null;
    metadata?: unknown;
    parent?: string;
    task?: string;
  };
  AskContentPart: {
    type: "ask";
    ask: string;
    kind: "permission" | "question" | "plan";
    call?: string;
    title: string;
    description?: string;
    options: {
      id: string;
      label: string;
      description?: string;
      effect: "once" | "always" | "reject" | "reject-always" | "other";
      stops?: boolean;
      covers?: string[];
      storedIn?: string;
    }[];
    questions?: {
      id: string;
      text: string;
      header?: string;
      description?: string;
      options?: { label: string; description?: string; value?: string }[];
      multiple?: boolean;
      free?: boolean;
      type?: "text" | "number" | "integer" | "boolean";
      required?: boolean;
      secret?: boolean;
      default?: string[];
    }[];
    editable?: true;
    changes?: {
      path: string;
      kind: "created" | "changed" | "deleted" | "moved";
      diff?: string;
      from?: string;
    }[];
    detail?: unknown;
    url?: string;
    state: "open" | "answered" | "closed";
    answer?: {
      option?: string;
      answers?: { [key: string]: string[] };
      message?: string;
      input?: unknown;
      effect?: "once" | "always" | "reject" | "reject-always" | "other";
      by: string;
    };
    outcome?: "answered" | "cancelled" | "expired";
    delivered?: boolean;
    parent?: string;
    task?: string;
  };
  FileEditContentPart: {
    type: "file_edit";
    path: string;
    kind: "created" | "changed" | "deleted" | "moved";
    diff?: string;
    from?: string;
    call?: string;
    parent?: string;
    task?: string;
  };
  NoticeContentPart: {
    type: "notice";
    level: "info" | "warning" | "error";
    code: string;
    text: string;
    parent?: string;
    task?: string;
  };
  RawRecord: {
    rawSeq: number;
    direction: "in" | "out" | "process";
    generation: number;
    at: number;
    data:
      | string
      | ({ event: "spawn" | "exit" | "signal" | "stderr" | "timeout" } & { [key: string]: unknown });
  };
  Event:
    | Schemas["SessionCreatedEvent"]
    | Schemas["SessionAttachedEvent"]
    | Schemas["SessionDetachedEvent"]
    | Schemas["SessionUpdatedEvent"]
    | Schemas["SessionClosedEvent"]
    | Schemas["SessionForkedEvent"]
    | Schemas["ConversationRewoundEvent"]
    | Schemas["PromptAcceptedEvent"]
    | Schemas["PromptChangedEvent"]
    | Schemas["PromptMovedEvent"]
    | Schemas["PromptHeldEvent"]
    | Schemas["PromptWithdrawnEvent"]
    | Schemas["PromptDispatchedEvent"]
    | Schemas["PromptReturnedEvent"]
    | Schemas["PromptReceivedEvent"]
    | Schemas["TurnStartedEvent"]
    | Schemas["MessageStartedEvent"]
    | Schemas["MessageSystemEvent"]
    | Schemas["StepStartedEvent"]
    | Schemas["StepEndedEvent"]
    | Schemas["TurnStoppingEvent"]
    | Schemas["TurnEndedEvent"]
    | Schemas["TaskStartedEvent"]
    | Schemas["TaskUpdatedEvent"]
    | Schemas["TaskStoppingEvent"]
    | Schemas["TaskEndedEvent"]
    | Schemas["TextStartEvent"]
    | Schemas["TextDeltaEvent"]
    | Schemas["TextEndEvent"]
    | Schemas["ReasoningStartEvent"]
    | Schemas["ReasoningDeltaEvent"]
    | Schemas["ReasoningEndEvent"]
    | Schemas["ContentDiscardedEvent"]
    | Schemas["ToolStartEvent"]
    | Schemas["ToolUpdatedEvent"]
    | Schemas["ToolInputDeltaEvent"]
    | Schemas["ToolInputEvent"]
    | Schemas["ToolOutputDeltaEvent"]
    | Schemas["ToolProgressEvent"]
    | Schemas["ToolOutputEvent"]
    | Schemas["ToolFailedEvent"]
    | Schemas["ToolDeniedEvent"]
    | Schemas["ToolAbandonedEvent"]
    | Schemas["ToolSummaryEvent"]
    | Schemas["ToolAmendedEvent"]
    | Schemas["FileEvent"]
    | Schemas["SourceEvent"]
    | Schemas["AskOpenedEvent"]
    | Schemas["AskUpdatedEvent"]
    | Schemas["AskAnsweredEvent"]
    | Schemas["AskClosedEvent"]
    | Schemas["CheckpointCreatedEvent"]
    | Schemas["RestoreStartedEvent"]
    | Schemas["CheckpointRestoredEvent"]
    | Schemas["FileEditedEvent"]
    | Schemas["PlanUpdatedEvent"]
    | Schemas["UsageEvent"]
    | Schemas["AuthStatusEvent"]
    | Schemas["CompactionStartedEvent"]
    | Schemas["CompactionEndedEvent"]
    | Schemas["NoticeEvent"]
    | Schemas["AgentUnknownEvent"];
  SessionCreatedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "session.created";
    agent: string;
    cwd: string;
    title?: string;
    model?: string;
    mode?: string;
    permissionMode?: string;
    chosen?: { [key: string]: string | boolean };
    metadata?: { [key: string]: unknown };
    mcpServers?: { [key: string]: unknown };
    options?: { [key: string]: unknown };
    env?: string[];
    install?: "auto" | "never";
    checkpoints?: "on" | "off";
    onLost?: "continue" | "stop";
    forkedFrom?: { session: string; message?: string };
    by?: string;
  };
  SessionAttachedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "session.attached";
    agent?: string;
    generation: number;
    agentSessionId?: string;
    agentVersion?: string;
    resumed?: boolean;
    model?: string;
    models?: { id: string; name?: string; description?: string }[];
    mode?: string;
    modes?: { id: string; name?: string; description?: string }[];
    permissionMode?: string;
    commands?: { name: string; description?: string; hint?: string }[];
    tools?: string[];
    settings?: {
      id: string;
      name: string;
      description?: string;
      category?: string;
      value: string | boolean;
      choices?: { id: string; name?: string; description?: string }[];
    }[];
  };
  SessionDetachedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "session.detached";
    agent?: string;
    reason: "idle" | "exit" | "crash" | "closed";
    code?: number | null;
    signal?: string | null;
  };
  SessionUpdatedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "session.updated";
    agent?: string;
    title?: string;
    pinned?: boolean;
    archived?: boolean;
    metadata?: { [key: string]: unknown };
    agentSessionId?: string;
    agentVersion?: string;
    env?: string[];
    onLost?: "continue" | "stop";
    requested?: {
      model?: string;
      mode?: string;
      permissionMode?: string;
      settings?: { [key: string]: string | boolean | null };
    };
    chosen?: { [key: string]: string | boolean };
    overridden?: { [key: string]: string | boolean };
    queueHeld?: boolean;
    checkpointObstacle?: string;
    agentMemory?: "none";
    continues?: {
      agentSessionId: string;
      after?: string;
      before?: string;
      session: string;
      message: string;
      seq: number;
    };
    restoredFiles?: { paths: string[]; more: number };
    model?: string;
    models?: { id: string; name?: string; description?: string }[];
    mode?: string;
    modes?: { id: string; name?: string; description?: string }[];
    permissionMode?: string;
    commands?: { name: string; description?: string; hint?: string }[];
    tools?: string[];
    settings?: {
      id: string;
      name: string;
      description?: string;
      category?: string;
      value: string | boolean;
      choices?: { id: string; name?: string; description?: string }[];
    }[];
    by?: string;
  };
  SessionClosedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "session.closed";
    agent?: string;
    by?: string;
  };
  SessionForkedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "session.forked";
    agent?: string;
    fork: string;
    before?: string;
    by?: string;
  };
  ConversationRewoundEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "conversation.rewound";
    before: string;
    agentForgot: boolean;
    by?: string;
  };
  PromptAcceptedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message: string;
    raw?: number;
    type: "prompt.accepted";
    parts: Schemas["PromptPart"][];
    whenBusy: "queue" | "steer" | "reject";
    settings?: { [key: string]: string | boolean };
    continuesTurn?: string;
    receipt?: "started" | "queued" | "steered";
    by?: string;
    author?: string;
  };
  PromptChangedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message: string;
    raw?: number;
    type: "prompt.changed";
    parts: Schemas["PromptPart"][];
    by?: string;
  };
  PromptMovedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message: string;
    raw?: number;
    type: "prompt.moved";
    before?: string;
    by?: string;
  };
  PromptHeldEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message: string;
    raw?: number;
    type: "prompt.held";
    held: boolean;
    reason?: string;
    by?: string;
  };
  PromptWithdrawnEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message: string;
    raw?: number;
    type: "prompt.withdrawn";
    by?: string;
  };
  PromptDispatchedEvent: {
    session: string;
    seq: number;
    at: number;
    turn: string;
    message: string;
    raw?: number;
    type: "prompt.dispatched";
    steered?: boolean;
    checkpoint?: string;
    note?: string;
  };
  PromptReturnedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message: string;
    raw?: number;
    type: "prompt.returned";
    reason: string;
  };
  PromptReceivedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message: string;
    raw?: number;
    type: "prompt.received";
    native: string;
  };
  TurnStartedEvent: {
    session: string;
    seq: number;
    at: number;
    turn: string;
    message?: string;
    raw?: number;
    type: "turn.started";
    agent?: string;
    origin: "user" | "agent";
  };
  MessageStartedEvent: {
    session: string;
    seq: number;
    at: number;
    turn: string;
    message: string;
    raw?: number;
    type: "message.started";
    agent?: string;
    model?: string;
    replyTo: string;
  };
  MessageSystemEvent: {
    session: string;
    seq: number;
    at: number;
    turn: string;
    message: string;
    raw?: number;
    type: "message.system";
    text: string;
    cause: string;
    task?: string;
  };
  StepStartedEvent: {
    session: string;
    seq: number;
    at: number;
    turn: string;
    message?: string;
    raw?: number;
    type: "step.started";
    step: number;
  };
  StepEndedEvent: {
    session: string;
    seq: number;
    at: number;
    turn: string;
    message?: string;
    raw?: number;
    type: "step.ended";
    step: number;
    reason?: string;
  };
  TurnStoppingEvent: {
    session: string;
    seq: number;
    at: number;
    turn: string;
    message?: string;
    raw?: number;
    type: "turn.stopping";
    by: string;
  };
  TurnEndedEvent: {
    session: string;
    seq: number;
    at: number;
    turn: string;
    message?: string;
    raw?: number;
    type: "turn.ended";
    outcome: "completed" | "interrupted" | "failed" | "refused" | "limit";
    error?: { code: string; message: string };
    delivery?: "known" | "unknown";
    model?: string;
    usage: { input?: number; output?: number; reasoning?: number; cacheRead?: number; cacheWrite?: number };
    cost?: number;
    durationMs: number;
    waitedMs?: number;
    native?: string;
  };
  TaskStartedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "task.started";
    task: string;
    title: string;
    kind?: string;
    call?: string;
    native?: string;
  };
  TaskUpdatedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "task.updated";
    delta?: string;
    task: string;
    title?: string;
    status?: string;
    progress?: unknown;
  };
  TaskStoppingEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "task.stopping";
    task: string;
    by: string;
  };
  TaskEndedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "task.ended";
    task: string;
    outcome: "completed" | "failed" | "stopped" | "lost";
    summary?: string;
    output?: unknown;
  };
  TextStartEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "text.start";
    part: string;
    purpose?: "commentary" | "answer" | "plan";
    parent?: string;
    task?: string;
    native?: string;
  };
  TextDeltaEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "text.delta";
    part: string;
    parent?: string;
    task?: string;
    delta: string;
  };
  TextEndEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "text.end";
    part: string;
    parent?: string;
    task?: string;
  };
  ReasoningStartEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "reasoning.start";
    part: string;
    parent?: string;
    task?: string;
    native?: string;
  };
  ReasoningDeltaEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "reasoning.delta";
    part: string;
    parent?: string;
    task?: string;
    delta: string;
  };
  ReasoningEndEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "reasoning.end";
    part: string;
    parent?: string;
    task?: string;
  };
  ContentDiscardedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "content.discarded";
    parts: string[];
    calls: string[];
    reason: string;
    parent?: string;
    task?: string;
  };
  ToolStartEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "tool.start";
    call: string;
    name: string;
    title?: string;
    kind?: string;
    locations?: { path: string; line?: number }[];
    parent?: string;
    task?: string;
    native?: string;
  };
  ToolUpdatedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "tool.updated";
    call: string;
    name?: string;
    title?: string;
    kind?: string;
    locations?: { path: string; line?: number }[];
    parent?: string;
    task?: string;
  };
  ToolInputDeltaEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "tool.input.delta";
    call: string;
    delta: string;
    parent?: string;
    task?: string;
  };
  ToolInputEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "tool.input";
    call: string;
    input?: unknown;
    truncatedFrom?: number;
    by?: string;
    parent?: string;
    task?: string;
  };
  ToolOutputDeltaEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "tool.output.delta";
    call: string;
    delta: string;
    parent?: string;
    task?: string;
  };
  ToolProgressEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "tool.progress";
    call: string;
    progress?: unknown;
    parent?: string;
    task?: string;
  };
  ToolOutputEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "tool.output";
    call: string;
    output?: unknown;
    preliminary?: boolean;
    running?: boolean;
    truncatedFrom?: number;
    exitCode?: number | null;
    metadata?: unknown;
    parent?: string;
    task?: string;
  };
  ToolFailedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "tool.failed";
    call: string;
    error: string;
    output?: unknown;
    exitCode?: number | null;
    metadata?: unknown;
    parent?: string;
    task?: string;
  };
  ToolDeniedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "tool.denied";
    call: string;
    reason?: string;
    parent?: string;
    task?: string;
  };
  ToolAbandonedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "tool.abandoned";
    call: string;
    reason: string;
    stopped?: boolean;
    parent?: string;
    task?: string;
  };
  ToolSummaryEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "tool.summary";
    calls: string[];
    text: string;
    parent?: string;
    task?: string;
  };
  ToolAmendedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "tool.amended";
    call: string;
    output?: unknown;
    error?: string;
    exitCode?: number | null;
    metadata?: unknown;
    parent?: string;
    task?: string;
  };
  FileEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "file";
    url: string;
    mediaType: string;
    filename?: string;
    parent?: string;
    task?: string;
  };
  SourceEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "source";
    id: string;
    url?: string;
    title?: string;
    mediaType?: string;
    filename?: string;
    parent?: string;
    task?: string;
  };
  AskOpenedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "ask.opened";
    ask: string;
    kind: "permission" | "question" | "plan";
    call?: string;
    title: string;
    description?: string;
    options: {
      id: string;
      label: string;
      description?: string;
      effect: "once" | "always" | "reject" | "reject-always" | "other";
      stops?: boolean;
      covers?: string[];
      storedIn?: string;
    }[];
    questions?: {
      id: string;
      text: string;
      header?: string;
      description?: string;
      options?: { label: string; description?: string; value?: string }[];
      multiple?: boolean;
      free?: boolean;
      type?: "text" | "number" | "integer" | "boolean";
      required?: boolean;
      secret?: boolean;
      default?: string[];
    }[];
    editable?: true;
    changes?: {
      path: string;
      kind: "created" | "changed" | "deleted" | "moved";
      diff?: string;
      from?: string;
    }[];
    detail?: unknown;
    url?: string;
    expiresAt?: number;
    parent?: string;
    task?: string;
    native?: string;
  };
  AskUpdatedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "ask.updated";
    ask: string;
    changes?: {
      path: string;
      kind: "created" | "changed" | "deleted" | "moved";
      diff?: string;
      from?: string;
    }[];
    detail?: unknown;
    parent?: string;
    task?: string;
  };
  AskAnsweredEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "ask.answered";
    ask: string;
    option?: string;
    answers?: { [key: string]: string[] };
    input?: unknown;
    effect?: "once" | "always" | "reject" | "reject-always" | "other";
    by: string;
    expired?: true;
    parent?: string;
    task?: string;
  };
  AskClosedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "ask.closed";
    ask: string;
    outcome: "answered" | "cancelled" | "expired";
    delivered: boolean;
    parent?: string;
    task?: string;
  };
  CheckpointCreatedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "checkpoint.created";
    checkpoint: string;
    kind?: "created" | "before" | "after" | "restore" | "approved";
    keptAt?: { id: string; name: string };
    endOf?: string;
    uncovered?: { path: string; reason: "too-large" | "unreadable" | "special" }[];
    foreign?: string[];
    mixed?: string[];
    allMixed?: boolean;
    by?: string;
  };
  RestoreStartedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "restore.started";
    checkpoint: string;
    before: string;
    changes: { path: string; from?: { mode: string; id: string }; to?: { mode: string; id: string } }[];
    kept?: string[];
    rewound?: string;
    by?: string;
  };
  CheckpointRestoredEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "checkpoint.restored";
    checkpoint: string;
    files?: number;
    restored?: string[];
    kept?: string[];
    error?: string;
  };
  FileEditedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "file.edited";
    path: string;
    kind: "created" | "changed" | "deleted" | "moved";
    diff?: string;
    from?: string;
    call?: string;
    parent?: string;
    task?: string;
  };
  PlanUpdatedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "plan.updated";
    entries: { text: string; status: "pending" | "active" | "done"; priority?: "high" | "medium" | "low" }[];
    parent?: string;
    task?: string;
  };
  UsageEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "usage";
    input?: number;
    output?: number;
    reasoning?: number;
    cacheRead?: number;
    cacheWrite?: number;
    cost?: number;
    model?: string;
    context?: { used: number; size?: number };
    parent?: string;
    task?: string;
  };
  AuthStatusEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "auth.status";
    state: "ok" | "required" | "pending" | "failed";
    text?: string;
  };
  CompactionStartedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "compaction.started";
    trigger?: string;
  };
  CompactionEndedEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "compaction.ended";
    summary?: string;
    tokensBefore?: number;
    tokensAfter?: number;
    skipped?: string;
    error?: string;
  };
  NoticeEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "notice";
    level: "info" | "warning" | "error";
    code: string;
    text: string;
    data?: unknown;
    parent?: string;
    task?: string;
  };
  AgentUnknownEvent: {
    session: string;
    seq: number;
    at: number;
    turn?: string;
    message?: string;
    raw?: number;
    type: "agent.unknown";
    native: string;
    text?: string;
  };
  MessageList: { messages: Schemas["Message"][]; hasMore: boolean };
  Queue: {
    queue: Schemas["QueuedPrompt"][];
    /** Whether there are more than one answer holds */
    hasMore: boolean;
    /** Leads to them; when the last prompt of this page waits no more, the next page begins anew */
    cursor?: string;
    /** Prompts wait and none of them begins by itself */
    held?: {
      /** Who wanted it, by name */
      by?: string;
      at: number;
    };
  };
  ReleasedQueue: {
    /** Whether prompts were held */
    released: boolean;
  };
  PromptReceipt: {
    message: string;
    state: "started" | "queued" | "steered";
    turn?: string;
    /** Of `prompt.accepted` */
    seq: number;
  };
  SendPrompt: {
    /** Chosen by the client, a repeated request does nothing more */
    id?: string;
    /** Short for one text part */
    text?: string;
    parts?: Schemas["PromptPart"][];
    /** While a turn runs: wait for it, join it where the agent can, or answer 409 */
    whenBusy?: "queue" | "steer" | "reject";
    /** Settings of the agent by id, for the turn of this prompt alone */
    settings?: { [key: string]: string | boolean };
  };
  SentPrompt: {
    message: string;
    /** The running turn has it, or it is the next one and the turn is being stopped */
    state: "steered" | "queued";
    /** The turn that has it */
    turn?: string;
    /** Where the log ended then */
    seq: number;
  };
  SearchResults: {
    results: Schemas["SearchResult"][];
    /** There may be more, also where this page has fewer than `limit`, or none */
    cursor?: string;
    /** Older messages are still being added after an upgrade: not all can be found yet */
    isIncomplete?: true;
  };
  SearchResult: {
    session: string;
    /** Of the session, like agent and directory */
    title?: string;
    agent: string;
    cwd: string;
    archived?: true;
    message: string;
    role: "user" | "assistant" | "system";
    /** When it was said */
    at: number;
    /** A part of the text, where most of the words stand */
    snippet: {
      text: string;
      /** It is one of the words */
      match?: true;
    }[];
  };
  EventPage: {
    events: Schemas["Event"][];
    /** The seq of the newest event of the session */
    head: number;
    hasMore: boolean;
  };
  RawPage: {
    raws: Schemas["RawRecord"][];
    /** The rawSeq of the newest record of the session */
    head: number;
    hasMore: boolean;
  };
  FeedFrame:
    | Schemas["SnapshotFeedFrame"]
    | Schemas["SessionFeedFrame"]
    | Schemas["AsksFeedFrame"]
    | Schemas["PresenceFeedFrame"]
    | Schemas["DeletedFeedFrame"]
    | Schemas["ResumedFeedFrame"];
  /** The first frame, unless a known cursor was given, and whatever came before is void: the sessions, the last changed first, the open asks, and who watches */
  SnapshotFeedFrame: {
    type: "snapshot";
    /** Without archived ones */
    sessions: {
      session: string;
      agent: string;
      cwd: string;
      title?: string;
      status: Schemas["SessionStatus"];
      head: number;
      openAsks: number;
      queued: number;
      createdAt: number;
      updatedAt: number;
      /** What its turns cost so far, in dollars; left out while its agent reported none */
      cost?: number;
      /** Kept on top; left out when it is not */
      pinned?: true;
      /** Left out of lists unless they ask for it */
      archived?: true;
      /** When a restart of the daemon ended its last turn; left out once another turn begins */
      cutOffAt?: number;
      /** The node that has it now, by name; left out where none has, and without a cluster */
      node?: string;
      /** The number of that node in `GET /v1/nodes`: two nodes may have one name */
      nodeNumber?: number;
      forkedFrom?: { session: string; message?: string };
    }[];
    /** There are more: `cursor` of `GET /v1/sessions` leads to them */
    sessionCursor?: string;
    asks: Schemas["Ask"][];
    /** There are more: `cursor` of `GET /v1/asks`, for the same session if one is named, leads to them */
    askCursor?: string;
    /** Who watches, of the sessions that somebody watches */
    presence: {
      session: string;
      /** The first hundred, the longest here first */
      viewers: Schemas["Viewer"][];
      /** How many viewers there are, also those that are not listed */
      total: number;
    }[];
    /** There are more: `GET /v1/sessions/{id}/presence` tells of each session */
    isPresenceCut?: true;
    /** When the daemon was started: another time than before means that it was restarted */
    startedAt: number;
  };
  Ask: {
    session: string;
    ask: string;
    kind: "permission" | "question" | "plan";
    /** `answered` until the answer has reached the agent */
    state: "open" | "answered" | "closed";
    title: string;
    description?: string;
    /** The tool call it is about */
    call?: string;
    options: {
      id: string;
      label: string;
      description?: string;
      effect: "once" | "always" | "reject" | "reject-always" | "other";
      stops?: boolean;
      covers?: string[];
      storedIn?: string;
    }[];
    questions?: {
      id: string;
      text: string;
      header?: string;
      description?: string;
      options?: { label: string; description?: string; value?: string }[];
      multiple?: boolean;
      free?: boolean;
      type?: "text" | "number" | "integer" | "boolean";
      required?: boolean;
      secret?: boolean;
      default?: string[];
    }[];
    /** An answer may have an `input` that is run instead of the call's */
    editable?: true;
    expiresAt?: number;
    at: number;
    /** Of the `ask.opened` event, whose other fields are here too */
    seq: number;
    /** Of the last `ask.updated` event, which is in here too */
    updatedSeq?: number;
    turn?: string;
    message?: string;
    answer?: {
      option?: string;
      answers?: { [key: string]: string[] };
      message?: string;
      input?: unknown;
      effect?: "once" | "always" | "reject" | "reject-always" | "other";
      by: string;
      at: number;
    };
    outcome?: string;
  } & { [key: string]: unknown };
  Viewer: {
    /** Of the token, with that of the client where it gives one */
    name: string;
    role: "observer" | "participant" | "operator" | "owner";
    /** `v1`, or the name of a dialect */
    dialect: string;
    /** When the first of the streams was opened, in milliseconds */
    since: number;
    /** How many streams are open */
    count: number;
  };
  /** A session changed */
  SessionFeedFrame: {
    type: "session";
    session: string;
    agent: string;
    cwd: string;
    title?: string;
    status: Schemas["SessionStatus"];
    head: number;
    openAsks: number;
    queued: number;
    createdAt: number;
    updatedAt: number;
    /** What its turns cost so far, in dollars; left out while its agent reported none */
    cost?: number;
    /** Kept on top; left out when it is not */
    pinned?: true;
    /** Left out of lists unless they ask for it */
    archived?: true;
    /** When a restart of the daemon ended its last turn; left out once another turn begins */
    cutOffAt?: number;
    /** The node that has it now, by name; left out where none has, and without a cluster */
    node?: string;
    /** The number of that node in `GET /v1/nodes`: two nodes may have one name */
    nodeNumber?: number;
    forkedFrom?: { session: string; message?: string };
  };
  /** All asks of a session that are open now */
  AsksFeedFrame: {
    type: "asks";
    session: string;
    asks: Schemas["Ask"][];
    /** There are more: `cursor` of `GET /v1/asks`, for the same session if one is named, leads to them */
    askCursor?: string;
  };
  /** Somebody came or left: all who watch a session now */
  PresenceFeedFrame: {
    type: "presence";
    session: string;
    /** The first hundred, the longest here first */
    viewers: Schemas["Viewer"][];
    /** How many viewers there are, also those that are not listed */
    total: number;
  };
  DeletedFeedFrame: { type: "deleted"; session: string };
  /** In place of a snapshot, where the cursor was known: what changed since follows */
  ResumedFeedFrame: { type: "resumed" };
  Xray: {
    /** The entry */
    seq: number;
    /** The seq of the newest event of the session */
    head: number;
    /** The record that the entry came from, last. Before it those since the event before that no event came from. Empty for what people and the daemon did */
    raw: {
      rawSeq: number;
      direction: "in" | "out" | "process";
      generation: number;
      at: number;
      data:
        | string
        | ({ event: "spawn" | "exit" | "signal" | "stderr" | "timeout" } & { [key: string]: unknown });
      /** Messages and fields that the translator has no use for. Absent where nobody here understands the agent */
      unread?: string[];
      /** How many characters of it are left out */
      leftOut?: number;
    }[];
    /** How many earlier records without an event are left out */
    rawLeftOut?: number;
    /** All that came from the same record, the entry among them */
    events: Schemas["Event"][];
    /** What clients of each protocol get for these events, if they have followed from the beginning of the turn */
    frames: {
      /** `v1`, or the name of a client protocol */
      dialect: string;
      description: string;
      frames: {
        /** The event it is of */
        seq: number;
        /** As it is sent */
        text: string;
        /** How many characters of it are left out */
        leftOut?: number;
      }[];
    }[];
    /** The turn is too long to show it as other protocols do: only frames of `v1` are there */
    framesLeftOut?: true;
    /** What is unread of all these records together */
    unread?: string[];
    /** The entry before these events */
    previous?: number;
    /** The entry after these events */
    next?: number;
  };
  AskList: {
    asks: Schemas["Ask"][];
    /** Whether there are more than one answer holds */
    hasMore: boolean;
    /** Leads to them */
    cursor?: string;
  };
  QuestionReject: {
    /** A word to the agent along with the answer */
    message?: string;
  };
  AskReply: {
    /** The first option with this effect */
    reply?: "once" | "always" | "reject";
    /** The id of an option the ask offers */
    option?: string;
    /** For each question the chosen or written answers */
    answers?: { [key: string]: string[] };
    /** A word to the agent along with the answer */
    message?: string;
    /** The whole tool input as the person changed it, for an ask that is `editable` */
    input?: { [key: string]: unknown };
  };
  PermissionReply: {
    /** The first option with this effect */
    reply?: "once" | "always" | "reject";
    /** The id of an option the ask offers */
    option?: string;
    /** A word to the agent along with the answer */
    message?: string;
    /** The whole tool input as the person changed it, for an ask that is `editable` */
    input?: { [key: string]: unknown };
  };
  QuestionReply: {
    /** The first option with this effect */
    reply?: "once" | "always" | "reject";
    /** The id of an option the ask offers */
    option?: string;
    /** For each question the chosen or written answers */
    answers?: { [key: string]: string[] };
    /** A word to the agent along with the answer */
    message?: string;
  };
  TaskList: {
    /** Those that run, then the last twenty that ended */
    tasks: Schemas["Task"][];
  };
  Task: {
    task: string;
    title: string;
    /** `command` or `agent`, where the agent says so */
    kind?: string;
    /** The call that began it */
    call?: string;
    /** `stopping` until the agent has ended it; `lost` if the agent ended first */
    state: "running" | "stopping" | "completed" | "failed" | "stopped" | "lost";
    /** What the agent last said of it */
    status?: string;
    progress?: unknown;
    /** The end of what it wrote, as far as the agent told */
    output?: string;
    startedAt?: number;
    endedAt?: number;
    /** Who wants it to end */
    stoppingBy?: string;
    summary?: string;
  };
  Approved: {
    checkpoint: string;
    /** How many files were pending */
    changes: number;
  };
  CollectedGarbage: {
    /** How many checkpoints were too old or too many */
    dropped: number;
    /** Bytes */
    freed: number;
    /** What checkpoints take on the disk */
    bytes: number;
    /** Directories whose checkpoints could not be looked after; the others were */
    failed?: {
      directory: string;
      /** The reason, and what helps */
      problem: string;
    }[];
  };
  FileChanges: { changes: Schemas["FileChange"][] };
  FileChange: {
    /** Relative to the session's directory */
    path: string;
    status: "added" | "modified" | "deleted";
    additions: number;
    deletions: number;
    /** Unified; none for binary and very large files */
    diff?: string;
    /** What the file held before */
    base?: string;
    binary?: true;
    /** Too large to be shown here */
    tooLarge?: true;
  };
  CheckpointList: {
    checkpoints: {
      /** The id of a git commit */
      id: string;
      at: number;
      /** Its `checkpoint.created` */
      seq: number;
      kind: "created" | "before" | "after" | "restore" | "approved";
      /** The prompt it was taken for */
      message?: string;
      turn?: string;
      /** Of one that was taken before files went back: what that did */
      restored?: {
        /** The checkpoint they went back to */
        to: string;
        /** How many did */
        files: number;
        /** Which, the first hundred */
        paths: string[];
        /** Who wanted it, by name */
        by?: string;
      };
      /** It was old, there were too many, or they were deleted: nothing can go back to it any more */
      dropped?: true;
      /** The node, or the directory, that keeps it, if the node that has the session does not */
      elsewhere?: string;
    }[];
  };
  Workspaces: {
    /** What checkpoints take on the disk */
    bytes: number;
    /** The largest first */
    workspaces: {
      directory: string;
      /** Absent if they cannot be read */
      checkpoints?: number;
      /** What checkpoints take on the disk */
      bytes: number;
      /** Why they cannot be read, and what helps */
      problem?: string;
    }[];
  };
  Restored: {
    /** Paths of the files that went back */
    restored: string[];
    /** Taken right before: it undoes the restore. That of a preview is not kept */
    checkpoint?: string;
    /** What the restore changed */
    changes: Schemas["FileChange"][];
    /** Files that somebody else has changed; left as they are */
    kept?: string[];
    /** In a preview: what the restore would be refused for */
    conflicts?: string[];
    /** The first message that left the conversation */
    rewound?: string;
    /** In a preview: send it back to get exactly this */
    expect?: string;
  };
  Reset: {
    /** Whether files go back: true when left out */
    files?: boolean;
    /** Whether the conversation goes back too, to before the first prompt since: false when left out */
    conversation?: boolean;
    /** Only these files, or what is below these directories: relative to the session's, or absolute in it */
    paths?: string[];
    /** For files that somebody else has changed since: refuse everything (default), keep them, take only the agent's changes out of them, or overwrite them. Where that is impossible for one of them, everything is refused */
    onConflict?: "refuse" | "keep" | "merge" | "overwrite";
    /** Only tell what would happen */
    preview?: boolean;
    /** From a preview: refuse if something else would happen by now */
    expect?: string;
  };
  Restore: {
    checkpoint: string;
    /** Whether files go back: true when left out */
    files?: boolean;
    /** Whether the conversation goes back too, to before the first prompt since: false when left out */
    conversation?: boolean;
    /** Only these files, or what is below these directories: relative to the session's, or absolute in it */
    paths?: string[];
    /** For files that somebody else has changed since: refuse everything (default), keep them, take only the agent's changes out of them, or overwrite them. Where that is impossible for one of them, everything is refused */
    onConflict?: "refuse" | "keep" | "merge" | "overwrite";
    /** Only tell what would happen */
    preview?: boolean;
    /** From a preview: refuse if something else would happen by now */
    expect?: string;
  };
  Presence: {
    /** The first hundred, the longest here first */
    viewers: Schemas["Viewer"][];
    /** How many viewers there are, also those that are not listed */
    total: number;
  };
  Watching: {
    /** The session, or null for none */
    watching: string | null;
  };
  CreatedInvitation: {
    id: string;
    session: string;
    role: "observer" | "participant";
    name?: string;
    createdAt: number;
    /** The name of whoever invited */
    createdBy: string;
    /** Until then the code can be used */
    expiresAt: number;
    /** What is exchanged for a token, once. It is shown this once */
    code: string;
    /** Leads to the page, with the code in its fragment */
    link: string;
    /** Whether the link leads to more than this machine */
    reachable: boolean;
    /** What there has to be before others should follow it, as sentences */
    missing?: string[];
  };
  CreateInvitation: {
    /** What the token may do that it is exchanged for */
    role?: "observer" | "participant";
    /** Of whoever is invited; they choose one when absent */
    name?: string;
    /** How long the code can be used */
    expiresInMs?: number;
  };
  CreatedToken: {
    id: string;
    name: string;
    role: "observer" | "participant" | "operator" | "owner";
    sessions?: string[];
    agents?: string[];
    createdAt: number;
    /** The name of whoever made it */
    createdBy: string;
    expiresAt?: number;
    /** The invitation it was given for */
    invitation?: string;
    /** To about a minute; absent while nobody used it */
    lastUsedAt?: number;
    /** To be sent as `Authorization: Bearer …`. It is shown this once */
    token: string;
    /** Leads to the page, with the token in its fragment */
    link: string;
    /** Whether the link leads to more than this machine */
    reachable: boolean;
    /** What there has to be before others should follow it, as sentences */
    missing?: string[];
  };
  CreateToken: {
    /** As it stands in logs: who did something. One name is for one token */
    name: string;
    /** What it may do */
    role: "observer" | "participant" | "operator" | "owner";
    /** The only sessions it is for, by id, also of some that do not exist yet; all when absent */
    sessions?: string[];
    /** The only agents it is for; all when absent */
    agents?: string[];
    /** When it ends, in milliseconds since the epoch; never when absent */
    expiresAt?: number;
  };
  Me: {
    name: string;
    role: "observer" | "participant" | "operator" | "owner";
    /** The id of the token; absent for that of the daemon itself */
    token?: string;
    /** The only sessions it is for; all when absent */
    sessions?: string[];
    /** The only agents it is for; all when absent */
    agents?: string[];
    expiresAt?: number;
    /** What it may do, so that a client shows nothing else */
    rights: (
      | "service.read"
      | "session.read"
      | "session.prompt"
      | "session.unasked"
      | "queue.own"
      | "ask.question"
      | "queue.any"
      | "ask.permission"
      | "ask.plan"
      | "session.create"
      | "session.attach"
      | "session.fork"
      | "session.close"
      | "session.stop"
      | "session.settings"
      | "session.rewrite"
      | "session.restore"
      | "session.bypass"
      | "session.program"
      | "session.roots"
      | "session.raw"
      | "session.delete"
      | "session.invite"
      | "agent.install"
      | "service.operate"
      | "token.manage"
      | "audit.read"
    )[];
  };
  Audit: {
    /** Newest first */
    entries: Schemas["AuditEntry"][];
    hasMore: boolean;
    /** Leads to the next page */
    before?: number;
  };
  AuditEntry: {
    seq: number;
    at: number;
    /** The name of the token, with that of the client where it gives one */
    by: string;
    /** The id of the token; absent for that of the daemon itself */
    token?: string;
    role?: "observer" | "participant" | "operator" | "owner";
    /** The client protocol */
    dialect: string;
    /** The right that was used, or what was done, such as `token.create` */
    action: string;
    session?: string;
    outcome: "done" | "refused";
    /** Of the problem it was refused with */
    code?: string;
    detail?: string;
  };
  InvitationList: {
    /** In the order they were made: those that can be used, and those that were within a day */
    invitations: Schemas["Invitation"][];
  };
  Invitation: {
    id: string;
    session: string;
    role: "observer" | "participant";
    name?: string;
    createdAt: number;
    /** The name of whoever invited */
    createdBy: string;
    /** Until then the code can be used */
    expiresAt: number;
    /** When it was exchanged for a token */
    usedAt?: number;
    /** The id of that token */
    token?: string;
  };
  TokenList: {
    /** In the order they were made, without expired ones */
    tokens: Schemas["Token"][];
  };
  Token: {
    id: string;
    name: string;
    role: "observer" | "participant" | "operator" | "owner";
    sessions?: string[];
    agents?: string[];
    createdAt: number;
    /** The name of whoever made it */
    createdBy: string;
    expiresAt?: number;
    /** The invitation it was given for */
    invitation?: string;
    /** To about a minute; absent while nobody used it */
    lastUsedAt?: number;
  };
  RedeemedInvitation: {
    /** To be sent as `Authorization: Bearer …`. It is shown this once */
    token: string;
    /** The one session it is for */
    session: string;
    role: "observer" | "participant";
    /** With a number behind it if another token has that name */
    name: string;
    /** A day later at most */
    expiresAt: number;
  };
  RedeemInvitation: {
    /** From the fragment of the link */
    code: string;
    /** Who it is for, unless the invitation has a name; `guest` when both are absent */
    name?: string;
  };
  Agent: {
    name: string;
    /** How people call it */
    title: string;
    capabilities: {
      streaming: boolean;
      permissions: boolean;
      questions: boolean;
      slashCommands: boolean;
      steer: boolean;
      reportsSteering: boolean;
      fork: boolean;
      resume: boolean;
      rewind: boolean;
      images: boolean;
      stopTasks?: boolean;
      playMoney?: boolean;
      setModel: boolean;
      modes: string[];
      moreModes: boolean;
      permissionModes: ("default" | "plan" | "acceptEdits" | "bypass")[];
      availability: "local" | "remote" | "both";
    };
    /** The node whose program this is about; absent for a daemon alone */
    node?: string;
    /** The number of that node in `GET /v1/nodes` */
    nodeNumber?: number;
    /** The version that can be installed, where there is one */
    installable?: string;
    /** Present when the agent was probed not long ago */
    status?: {
      installed: boolean;
      missing?: true;
      version?: string;
      signedIn?: boolean;
      models?: { id: string; name?: string }[];
      remedy?: string;
    };
    /** What it said and nobody has a use for, since the daemon was started, by the agent's own names */
    unread?: { native: string; count: number }[];
  };
  Health: {
    status: "ok" | "failing";
    version: string;
    problem?: string;
    /** Which problem. `thread_pool_blocked`: file work stands still, because all threads wait for files that do not answer */
    code?: "store_unavailable" | "database_damaged" | "thread_pool_blocked";
    /** Sessions found damaged since the start; absent when there are none */
    damagedSessions?: number;
  };
  Liveness: {
    status: "ok";
    /** Left out where the request names a host that the daemon does not answer to elsewhere */
    version?: string;
  };
  Readiness: {
    /** `unready`: it does not agree with the other nodes. `draining`: it was told to go. `frozen`: it has lost its lease. `failing`: it cannot write, or file work stands still */
    status: "ok" | "unready" | "draining" | "frozen" | "failing";
    /** Left out where the request names a host that the daemon does not answer to elsewhere */
    version?: string;
    problem?: string;
    /** Which problem. `thread_pool_blocked`: file work stands still, because all threads wait for files that do not answer */
    code?: "store_unavailable" | "database_damaged" | "thread_pool_blocked";
  };
  Usage: {
    rows: {
      session?: string;
      agent?: string;
      day?: string;
      /** Left out where it is not known */
      model?: string;
      /** Where the sessions work */
      directory?: string;
      usage: { input?: number; output?: number; reasoning?: number; cacheRead?: number; cacheWrite?: number };
      /** In dollars, without play money */
      cost: number;
      /** What agents whose capabilities have `playMoney` say they cost; left out where that is nothing */
      playCost?: number;
      turns: number;
      /** How long the turns took, from start to end */
      durationMs: number;
      /** Of that time: how long an answer of a person was awaited */
      waitedMs: number;
      tools: number;
      asks: number;
      /** Of the asks: what was allowed, once or always */
      allowed: number;
      /** And what was rejected */
      denied: number;
    }[];
    /** Of all rows, also of those on other pages */
    total: {
      usage: { input?: number; output?: number; reasoning?: number; cacheRead?: number; cacheWrite?: number };
      /** In dollars, without play money */
      cost: number;
      /** What agents whose capabilities have `playMoney` say they cost; left out where that is nothing */
      playCost?: number;
      turns: number;
      /** How long the turns took, from start to end */
      durationMs: number;
      /** Of that time: how long an answer of a person was awaited */
      waitedMs: number;
      tools: number;
      asks: number;
      /** Of the asks: what was allowed, once or always */
      allowed: number;
      /** And what was rejected */
      denied: number;
    };
    /** Whether there are more rows than one answer holds */
    hasMore: boolean;
    /** Leads to them */
    cursor?: string;
  };
  InstallationFrame:
    | Schemas["InstallationProgress"]
    | Schemas["InstallationDone"]
    | Schemas["InstallationFailure"];
  InstallationProgress: {
    phase: "preparing" | "downloading" | "finishing";
    /** What has arrived */
    bytes?: number;
    /** What is expected */
    total?: number;
  };
  InstallationDone: {
    phase: "installed";
    version: string;
    /** The program's file */
    path: string;
    /** The node that has the program; absent for a daemon alone */
    node?: string;
    /** The number of that node in `GET /v1/nodes` */
    nodeNumber?: number;
  };
  InstallationFailure: {
    phase: "failed";
    /** An URN that names the code */
    type: string;
    title: string;
    status: number;
    /** A sentence that says what to do */
    detail: string;
    code: Schemas["ErrorCode"];
    /** Which fields are wrong */
    errors?: { path: string; message: string }[];
    /** The agents there are */
    agents?: string[];
    /** Files it is about, relative to the session's directory */
    paths?: string[];
    /** The session that stands in the way */
    session?: { id: string; title?: string };
    /** The answer that came first */
    answer?: unknown;
  };
  AgentList: {
    agents: Schemas["Agent"][];
    /** Taken where a client names none */
    default: string;
    /** Whether a setting of the daemon names the default */
    isDefaultConfigured: boolean;
  };
  NodeList: { nodes: Schemas["Node"][] };
  Node: {
    /** The number of its incarnation: a restart has another one */
    id: number;
    name: string;
    /** Where other nodes reach it; its own address where there are no others */
    url?: string;
    /** `unready`: it lives, and clients should not be sent to it. `draining`: it was told to go and finishes its turns. `frozen`: its beat stands still, but nobody has its sessions yet. `dead`: others have them, or take them */
    state: "live" | "unready" | "draining" | "frozen" | "dead";
    /** Why it is not ready, and what to do */
    problem?: string;
    /** How many it has now; idle sessions are at no node */
    sessions: number;
    /** How many agents run there */
    agents: number;
    /** How many may */
    maxAgents: number;
    /** Whether it is the one that answers */
    self: boolean;
  };
}
