import type { DocumentedOperation, Schema, Schemas } from './openapi-document.js';
import type { OwnBound } from './own-bounds.js';

/** The bounds of all fields that an operation of the document takes, by their paths. */
export function requestBounds(operation: DocumentedOperation, schemas: Schemas): Map<string, OwnBound> {
  const found = new Map<string, OwnBound>();
  for (const { name, in: place, schema } of operation.parameters ?? [])
    if (place !== 'path') collect(schema, `${place[0]}:${name}`, schemas, found);
  for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {}))
    if (type.includes('json') && schema) collect(schema, '', schemas, found);
  return found;
}

function collect(given: Schema, path: string, schemas: Schemas, found: Map<string, OwnBound>): void {
  const schema = schemas.resolve(given);
  const bound = boundOf(schema);
  if (bound) found.set(path, bound);
  for (const part of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) collect(part, path, schemas, found);
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    collect(member, path ? `${path}.${name}` : name, schemas, found);
  if (schema.items) collect(schema.items, `${path}[]`, schemas, found);
}

function boundOf(schema: Schema): OwnBound | undefined {
  const least = schema.minLength ?? schema.minItems ?? schema.minimum;
  const greatest = schema.maxLength ?? schema.maxItems ?? schema.maxProperties ?? schema.maximum ?? null;
  const isOpen = greatest === Number.MAX_SAFE_INTEGER;
  if (least === undefined && (greatest === null || isOpen)) return undefined;
  return [least ?? 0, isOpen ? null : greatest];
}
