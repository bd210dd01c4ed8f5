/** Every command there is. Adding one is a file in commands/ and a line here. */
import type { CliCommand } from "./command.ts";
import { agents } from "./commands/agents.ts";
import { agentsInstall } from "./commands/agents-install.ts";
import { asks, asksReply } from "./commands/asks.ts";
import { backup } from "./commands/backup.ts";
import { chat } from "./commands/chat.ts";
import { databaseCheck } from "./commands/db.ts";
import { doctor } from "./commands/doctor.ts";
import { exportSession } from "./commands/export.ts";
import { join } from "./commands/join.ts";
import { replay } from "./commands/replay.ts";
import { restore } from "./commands/restore.ts";
import { run } from "./commands/run.ts";
import { serve } from "./commands/serve.ts";
import { sessions } from "./commands/sessions.ts";
import { tail } from "./commands/tail.ts";

export const COMMANDS: readonly CliCommand[] = [
  serve,
  run,
  chat,
  join,
  sessions,
  tail,
  asks,
  asksReply,
  agents,
  agentsInstall,
  replay,
  exportSession,
  doctor,
  databaseCheck,
  backup,
  restore,
];
