/** The form an MCP server wants filled in, as questions. */
import type { AskQuestion } from "../../../core/ask.ts";
import type { Elicitation, ElicitationField } from "../wire.ts";

type Options = NonNullable<AskQuestion["options"]>;

/** In the order the server wants them. */
export function elicitationQuestions({
  requested_schema: schema,
  property_order: order,
}: Elicitation): AskQuestion[] {
  const fields = Object.entries(schema?.properties ?? {});
  if (order) fields.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return fields.map(([name, field]) => toQuestion(name, field, schema?.required?.includes(name) ?? false));
}

function toQuestion(id: string, field: ElicitationField, required: boolean): AskQuestion {
  const options = optionsOf(field);
  const type = typeOf(field);
  return {
    id,
    text: field.title ?? id,
    description: field.description,
    options,
    ...(field.type === "array" && { multiple: true }),
    free: options === undefined,
    type,
    required,
    ...(field.default !== undefined && { default: [field.default].flat().map(String) }),
  };
}

function optionsOf({ enum: values, enumNames, oneOf, items, type }: ElicitationField): Options | undefined {
  if (type === "boolean")
    return [
      { label: "Yes", value: "true" },
      { label: "No", value: "false" },
    ];
  const titled = oneOf ?? items?.anyOf;
  if (titled) return titled.map(({ const: value, title = value }) => ({ label: title, value }));
  return (values ?? items?.enum)?.map((value, index) => ({ label: enumNames?.[index] ?? value, value }));
}

function typeOf({ type }: ElicitationField): AskQuestion["type"] {
  if (type === "string") return "text";
  return type === "number" || type === "integer" || type === "boolean" ? type : undefined;
}
