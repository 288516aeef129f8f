import { schemaOf, type Class, type JsonSchema, type PublicOperation } from '@vaultsvc/contracts';

/** The names and descriptions of the fields that an operation takes and returns, each once. */
export function fieldWordsOf({ params, query, body, reply }: PublicOperation): string {
  const types = [params, query, body, reply].filter((type): type is Class => type !== undefined);
  return [...new Set(types.flatMap((type) => wordsOf(schemaOf(type))))].join(' ');
}

function wordsOf({ properties = {}, items, additionalProperties }: JsonSchema): string[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => [
    name,
    ...(schema.description === undefined ? [] : [schema.description]),
    ...wordsOf(schema),
  ]);
  const values = typeof additionalProperties === 'object' ? wordsOf(additionalProperties) : [];
  return [...own, ...(items ? wordsOf(items) : []), ...values];
}
