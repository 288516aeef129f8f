import type { Schema } from './setting-schema.ts';

export const flag: Schema = { type: 'boolean' };
export const text: Schema = { type: 'string' };
export const textOrNull: Schema = { type: ['string', 'null'] };
/** An object that Kubernetes checks. */
export const anyObject: Schema = { type: ['object', 'null'] };
export const anyList: Schema = { type: 'array', items: { type: 'object' } };
export const texts: Schema = { type: 'object', additionalProperties: { type: 'string' } };
export const count: Schema = { type: 'integer', minimum: 1 };
const port: Schema = { type: 'integer', minimum: 1, maximum: 65_535 };
/** Names of objects are labels of DNS. */
export const objectName: Schema = { $ref: '#/$defs/name' };
/** Where traffic may go. */
export const destination: Schema = { $ref: '#/$defs/destination' };

/** An object with these members and no others: a misspelt value is refused instead of being ignored. */
export function closed(
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = [],
): Schema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Parts that occur often. */
export const definitions: Readonly<Record<string, Schema>> = {
  name: { type: 'string', pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$' },
  destination: closed({ to: anyList, ports: { type: 'array', items: port } }),
};
