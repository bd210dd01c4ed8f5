/** Directories to work in and files to name, on the wire. */
import { z } from "@hono/zod-openapi";
import { named } from "../named-schema.ts";
import { pageLimit } from "./parameter.ts";

const MAX_PATH_LENGTH = 4096;
const MAX_SEARCH_LENGTH = 256;

export const listDirectoriesQuerySchema = z.object({
  path: z
    .string()
    .min(1)
    .max(MAX_PATH_LENGTH)
    .optional()
    .describe("An absolute path inside the allowed roots. The roots themselves when left out"),
  search: z
    .string()
    .max(MAX_SEARCH_LENGTH)
    .optional()
    .describe(
      "Those with this in their names, in upper or lower case: there and further below, nearest first",
    ),
  limit: pageLimit(1000, 1000),
});

export const directoryListSchema = named(
  "DirectoryList",
  z.object({
    path: z.string().optional().describe("The real path, links resolved. Absent for the list of the roots"),
    parent: z.string().optional().describe("The directory above, where that is inside the roots"),
    isInRepository: z
      .literal(true)
      .optional()
      .describe("It is in a git repository, as far as that is seen from inside the roots"),
    directories: z
      .array(
        z.object({
          name: z.string(),
          path: z.string(),
          isRepository: z.literal(true).optional().describe("It is the top of a git repository"),
          isHidden: z.literal(true).optional().describe("Its name begins with a dot"),
        }),
      )
      .describe("By name, hidden ones last, at most 1,000; with `search` the nearest first"),
    isTruncated: z.literal(true).optional().describe("There are more, or more to look through"),
  }),
);

export const findFilesQuerySchema = z.object({
  search: z
    .string()
    .max(MAX_SEARCH_LENGTH)
    .default("")
    .describe("Letters of the name or the path, in this order"),
  limit: pageLimit(50, 200),
});

export const fileListSchema = named(
  "FileList",
  z.object({
    files: z
      .array(
        z.object({
          path: z.string().describe("Relative to the directory of the session"),
          isDirectory: z.literal(true).optional(),
        }),
      )
      .describe("The likeliest first"),
    isTruncated: z.literal(true).optional().describe("The directory has more files than were looked at"),
  }),
);
