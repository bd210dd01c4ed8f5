/** The model of a new session: one that the agent names, or any other by its name. */
import { Field, TextInput } from "../ui/field.tsx";
import { clip } from "../ui/format.ts";

/** Nobody picks from a longer list. */
const MAX_MODELS = 1000;

interface ModelFieldProps {
  value: string;
  /** Undefined until the agent is probed, or where it names none before it runs. */
  models: readonly { id: string; name?: string }[] | undefined;
  onChange: (model: string) => void;
}

export function ModelField({ value, models = [], onChange }: ModelFieldProps) {
  return (
    <Field label="Model">
      {(ids) => (
        <>
          <TextInput
            {...ids}
            list={`${ids.id}-models`}
            placeholder="The agent’s default"
            spellCheck={false}
            maxLength={500}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={`${ids.id}-models`}>
            {models.slice(0, MAX_MODELS).map(({ id, name }) => (
              <option key={id} value={id}>
                {clip(name ?? id, 80)}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
