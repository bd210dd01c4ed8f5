/** Settings of an agent that are neither model nor mode: reasoning effort and the like. */
import { z } from "zod";

export const namedChoiceSchema = z.object({
  id: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
});

export const settingValueSchema = z.union([z.string(), z.boolean()]);

export const settingValuesSchema = z.record(z.string(), settingValueSchema);

/** A setting as the agent reports it: the value in force, and the choices if there is a list of them. */
export const settingSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  category: z.string().optional(),
  value: settingValueSchema,
  choices: z.array(namedChoiceSchema).optional(),
});

/** A setting as the agent reports it. */
export type Setting = z.infer<typeof settingSchema>;
/** The value of a setting. */
export type SettingValue = z.infer<typeof settingValueSchema>;
/** Values by the id of their setting. */
export type SettingValues = z.infer<typeof settingValuesSchema>;

/** The settings with these values in force. One the agent did not report is added under its id. */
export function withSettingValues(settings: readonly Setting[], values: SettingValues): Setting[] {
  const known = new Set(settings.map(({ id }) => id));
  const added = Object.entries(values).filter(([id]) => !known.has(id));
  return [
    ...settings.map((setting) =>
      Object.hasOwn(values, setting.id) ? { ...setting, value: values[setting.id]! } : setting,
    ),
    ...added.map(([id, value]) => ({ id, name: id, value })),
  ];
}
