/** The settings a session may give Amp in `options`: none. */
import { z } from "zod";

export const optionsSchema = z.strictObject({});
