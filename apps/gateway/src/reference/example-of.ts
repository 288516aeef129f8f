import type { JsonSchema } from '@vaultsvc/contracts';

const EPOCH_SECONDS_MAX = 99_999_999_999;

/** A plausible value of a schema, for the reference. Ids have their shape; texts say what they are. */
export function exampleOf(schema: JsonSchema, name = 'text'): unknown {
  const type = Array.isArray(schema.type) ? (schema.type[0] as string) : schema.type;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (type === 'object') return exampleOfFields(schema.properties);
  if (type === 'array') return [exampleOf(schema.items as JsonSchema, name)];
  if (type === 'integer' || type === 'number') return exampleNumber(schema);
  if (type === 'boolean') return true;
  return exampleText(schema, name);
}

function exampleOfFields(properties: unknown): object {
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, name)]));
}

function exampleNumber({ minimum, maximum }: JsonSchema): number {
  if (maximum === EPOCH_SECONDS_MAX) return 1_790_000_000;
  return Math.max(minimum ?? 1, 1);
}

function exampleText({ pattern }: JsonSchema, name: string): string {
  const [, prefix] = /^\^([a-z]+)_\[0-9A-Za-z\]/.exec(pattern ?? '') ?? [];
  if (prefix) return `${prefix}_6nQ0bVtX4yKfWm2RzLc8Ha`;
  return name === 'content_type' ? 'text/plain' : name.replaceAll('_', ' ');
}
