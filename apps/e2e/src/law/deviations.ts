import { isDeepStrictEqual } from 'node:util';
import { typeOf, type Members, type Shape, type Type } from './notation.js';

/** Where a value of an answer differs from its shape: missing, unknown and mistyped members. Empty if nowhere. */
export function deviations(shape: Shape, value: unknown, at = 'data'): string[] {
  const type = typeOf(shape);
  const isAny = type.kind === 'any' && !type.members && !type.item;
  if (value === null && isAny) return [];
  if (value === null) return type.nullable || type.values?.includes(null) ? [] : [`${at} is null`];
  if (type.members) return ofMembers(type.members, value, at);
  if (type.item) return ofItems(type, value, at);
  if (type.shapes) return ofAlternatives(type.shapes, value, at);
  return isOfType(type, value) ? [] : [`${at} is ${JSON.stringify(value)}, not ${nameOf(type)}`];
}

function ofMembers(members: Members, value: unknown, at: string): string[] {
  if (typeof value !== 'object' || Array.isArray(value)) return [`${at} is no object`];
  const given = value as Record<string, unknown>;
  const unknown = Object.keys(given).filter((name) => !(name in members));
  return [
    ...unknown.map((name) => `${at}.${name} is not in the row`),
    ...Object.entries(members).flatMap(([name, shape]) => {
      if (name in given) return deviations(shape, given[name], `${at}.${name}`);
      return typeOf(shape).optional ? [] : [`${at}.${name} is missing`];
    }),
  ];
}

function ofItems({ kind, item }: Type, value: unknown, at: string): string[] {
  const isList = kind !== 'map';
  if (typeof value !== 'object' || Array.isArray(value) !== isList)
    return [`${at} is no ${isList ? 'list' : 'object'}`];
  return Object.entries(value as object).flatMap(([name, entry]) =>
    deviations(item as Shape, entry, isList ? `${at}[]` : `${at}.${name}`),
  );
}

/** The alternative with the fewest deviations counts. */
function ofAlternatives(shapes: readonly Members[], value: unknown, at: string): string[] {
  const found = shapes.map((shape) => deviations(shape, value, at));
  return found.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

/** Epoch seconds of 2001 to 5138; milliseconds of today are above (ENV-08). */
const isTime = (value: unknown) =>
  Number.isInteger(value) && (value as number) > 1e9 && (value as number) < 1e11;

function isOfType({ kind, prefix = '', pattern, values }: Type, value: unknown): boolean {
  switch (kind) {
    case 'is':
      return (values ?? []).some((literal) => isDeepStrictEqual(literal, value));
    case 'int':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'bool':
      return typeof value === 'boolean';
    case 'time':
      return isTime(value);
    case 'text':
      return typeof value === 'string' && value.startsWith(prefix) && (pattern?.test(value) ?? true);
    case 'iso':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
    case 'url':
      return typeof value === 'string' && URL.canParse(value);
    default:
      return true;
  }
}

function nameOf({ kind, values, prefix, pattern }: Type): string {
  return values
    ? values.join('|')
    : `${kind}${prefix ? ` ${prefix}…` : ''}${pattern ? ` ${pattern.source}` : ''}`;
}
