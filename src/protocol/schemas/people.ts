/** Tokens, invitations and the audit log on the wire. */
import { z } from "@hono/zod-openapi";
import { BUILT_IN_NAMES, isBuiltInName } from "../../core/built-in-names.ts";
import { sessionIdSchema } from "../../core/identifier.ts";
import { RIGHTS, type Right, ROLES } from "../../core/rights.ts";
import { named } from "../named-schema.ts";
import { pageLimit, seqCursor } from "./parameter.ts";

/** No brackets: behind a name they have that of the client. */
const personName = z
  .string()
  .trim()
  .min(1, "must have a letter or a digit")
  .max(64, "must be at most 64 characters")
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._@-]*$/u,
    "may have letters, digits, spaces and . _ @ -, and begins with a letter or a digit",
  )
  .refine(
    (name) => !/\p{Default_Ignorable_Code_Point}| {2}/u.test(name),
    "must have nothing that is not seen",
  )
  .refine(
    (name) => !isMixed(name),
    "must not mix Latin letters with letters of other alphabets that look like them, such as Greek or Cyrillic",
  )
  .refine(
    (name) => !isBuiltInName(name),
    `must not be one of ${BUILT_IN_NAMES.join(", ")}. Choose another name`,
  );

/** Scripts with letters that look like Latin ones. */
const LOOKALIKES =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;

/** Whoever is invited chooses a name, and must not look like somebody else. */
function isMixed(name: string): boolean {
  return /\p{Script=Latin}/u.test(name) && LOOKALIKES.test(name);
}

const role = z.enum(ROLES);
const invitedRole = z.enum(["observer", "participant"]);
const recordId = z.string().min(1).max(64);

/** Milliseconds since the epoch, as everywhere. */
const time = z.number().int();

const scope = {
  sessions: z
    .array(sessionIdSchema)
    .min(1, "must name a session, or be left out")
    .max(100, "must be at most 100")
    .optional()
    .describe("The only sessions it is for, by id, also of some that do not exist yet; all when absent"),
  agents: z
    .array(z.string().min(1).max(128))
    .min(1, "must name an agent, or be left out")
    .max(100, "must be at most 100")
    .optional()
    .describe("The only agents it is for; all when absent"),
};

export const createTokenSchema = named(
  "CreateToken",
  z.strictObject({
    name: personName.describe("As it stands in logs: who did something. One name is for one token"),
    role: role.describe("What it may do"),
    ...scope,
    expiresAt: time.optional().describe("When it ends, in milliseconds since the epoch; never when absent"),
  }),
);

/** Of a link that gives access. */
const reachability = {
  reachable: z.boolean().describe("Whether the link leads to more than this machine"),
  missing: z
    .array(z.string())
    .optional()
    .describe("What there has to be before others should follow it, as sentences"),
};

const tokenFields = {
  id: z.string(),
  name: z.string(),
  role,
  sessions: z.array(z.string()).optional(),
  agents: z.array(z.string()).optional(),
  createdAt: time,
  createdBy: z.string().describe("The name of whoever made it"),
  expiresAt: time.optional(),
  invitation: z.string().optional().describe("The invitation it was given for"),
  lastUsedAt: time.optional().describe("To about a minute; absent while nobody used it"),
};

export const tokenSchema = named("Token", z.object(tokenFields));

export const createdTokenSchema = named(
  "CreatedToken",
  z.object({
    ...tokenFields,
    token: z.string().describe("To be sent as `Authorization: Bearer …`. It is shown this once"),
    link: z.string().describe("Leads to the page, with the token in its fragment"),
    ...reachability,
  }),
);

export const tokenListSchema = named(
  "TokenList",
  z.object({ tokens: z.array(tokenSchema).describe("In the order they were made, without expired ones") }),
);

export const tokenParams = z.object({ token: recordId });

export const meSchema = named(
  "Me",
  z.object({
    name: z.string(),
    role,
    token: z.string().optional().describe("The id of the token; absent for that of the daemon itself"),
    sessions: z.array(z.string()).optional().describe("The only sessions it is for; all when absent"),
    agents: z.array(z.string()).optional().describe("The only agents it is for; all when absent"),
    expiresAt: time.optional(),
    rights: z
      .array(z.enum(Object.keys(RIGHTS) as [Right, ...Right[]]))
      .describe("What it may do, so that a client shows nothing else"),
  }),
);

const DAY_MS = 24 * 60 * 60 * 1000;

export const createInvitationSchema = named(
  "CreateInvitation",
  z.strictObject({
    role: invitedRole.default("participant").describe("What the token may do that it is exchanged for"),
    name: personName.optional().describe("Of whoever is invited; they choose one when absent"),
    expiresInMs: z
      .number()
      .int()
      .min(1000, "must be at least a second, 1000")
      .max(DAY_MS, `must be at most a day, ${DAY_MS}`)
      .default(DAY_MS)
      .describe("How long the code can be used"),
  }),
);

const invitationFields = {
  id: z.string(),
  session: z.string(),
  role: invitedRole,
  name: z.string().optional(),
  createdAt: time,
  createdBy: z.string().describe("The name of whoever invited"),
  expiresAt: time.describe("Until then the code can be used"),
};

export const invitationSchema = named(
  "Invitation",
  z.object({
    ...invitationFields,
    usedAt: time.optional().describe("When it was exchanged for a token"),
    token: z.string().optional().describe("The id of that token"),
  }),
);

export const createdInvitationSchema = named(
  "CreatedInvitation",
  z.object({
    ...invitationFields,
    code: z.string().describe("What is exchanged for a token, once. It is shown this once"),
    link: z.string().describe("Leads to the page, with the code in its fragment"),
    ...reachability,
  }),
);

export const invitationListSchema = named(
  "InvitationList",
  z.object({
    invitations: z
      .array(invitationSchema)
      .describe("In the order they were made: those that can be used, and those that were within a day"),
  }),
);

export const invitationParams = z.object({ id: sessionIdSchema, invitation: recordId });

export const redeemSchema = named(
  "RedeemInvitation",
  z.strictObject({
    code: z.string().min(1).max(256).describe("From the fragment of the link"),
    name: personName
      .optional()
      .describe("Who it is for, unless the invitation has a name; `guest` when both are absent"),
  }),
);

export const redeemedSchema = named(
  "RedeemedInvitation",
  z.object({
    token: z.string().describe("To be sent as `Authorization: Bearer …`. It is shown this once"),
    session: z.string().describe("The one session it is for"),
    role: invitedRole,
    name: z.string().describe("With a number behind it if another token has that name"),
    expiresAt: time.describe("A day later at most"),
  }),
);

export const auditQuerySchema = z.object({
  limit: pageLimit(100, 1000),
  before: seqCursor.optional().describe("Only entries with a smaller `seq`: the `before` of the page before"),
  session: sessionIdSchema.optional().describe("Only entries of one session"),
  by: z.string().min(1).max(256).optional().describe("Only what one name did; `anna` is also `anna (phone)`"),
});

export const auditEntrySchema = named(
  "AuditEntry",
  z.object({
    seq: z.number().int(),
    at: time,
    by: z.string().describe("The name of the token, with that of the client where it gives one"),
    token: z.string().optional().describe("The id of the token; absent for that of the daemon itself"),
    role: role.optional(),
    dialect: z.string().describe("The client protocol"),
    action: z.string().describe("The right that was used, or what was done, such as `token.create`"),
    session: z.string().optional(),
    outcome: z.enum(["done", "refused"]),
    code: z.string().optional().describe("Of the problem it was refused with"),
    detail: z.string().optional(),
  }),
);

export const auditSchema = named(
  "Audit",
  z.object({
    entries: z.array(auditEntrySchema).describe("Newest first"),
    hasMore: z.boolean(),
    before: z.number().int().optional().describe("Leads to the next page"),
  }),
);
