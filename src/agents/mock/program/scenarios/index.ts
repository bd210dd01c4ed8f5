/** The scenarios a prompt can name. */
import type { Scenario } from "../scenario.ts";
import { APPROVE } from "./approve.ts";
import { APPROVE_OWNSTEP } from "./approve-ownstep.ts";
import { APPROVE_TWO } from "./approve-two.ts";
import { BACKGROUND } from "./background.ts";
import { BURST } from "./burst.ts";
import { COMPACT } from "./compact.ts";
import { CRASH } from "./crash.ts";
import { DUPLICATE } from "./duplicate.ts";
import { ECHO, ECHO_SPLIT, ENVIRONMENT } from "./echo.ts";
import { ERROR, LIMIT, REFUSE } from "./endings.ts";
import { FILES } from "./files.ts";
import { GARBAGE } from "./garbage.ts";
import { HANG } from "./hang.ts";
import { HANG_DEAF } from "./hang-deaf.ts";
import { HUGE } from "./huge.ts";
import { LATE } from "./late.ts";
import { LONG } from "./long.ts";
import { PLAN } from "./plan.ts";
import { QUESTION } from "./question.ts";
import { RECALL } from "./recall.ts";
import { RETRY } from "./retry.ts";
import { RICH } from "./rich.ts";
import { SERVER } from "./server.ts";
import { STDERR } from "./stderr.ts";
import { SUBAGENT } from "./subagent.ts";
import { TEXT } from "./text.ts";
import { TODO } from "./todo.ts";

export const SCENARIOS: readonly Scenario[] = [
  TEXT,
  LONG,
  BURST,
  RICH,
  FILES,
  TODO,
  APPROVE,
  APPROVE_TWO,
  APPROVE_OWNSTEP,
  QUESTION,
  PLAN,
  SUBAGENT,
  BACKGROUND,
  SERVER,
  RETRY,
  ERROR,
  LIMIT,
  REFUSE,
  CRASH,
  HANG,
  HANG_DEAF,
  GARBAGE,
  HUGE,
  RECALL,
  LATE,
  DUPLICATE,
  ECHO,
  ECHO_SPLIT,
  ENVIRONMENT,
  STDERR,
  COMPACT,
];
