import type { Field, Fields, Rule } from './rules.js';

/** A request whose one field is at or beyond its bound. */
export interface Bound {
  readonly part: 'query' | 'body';
  readonly field: string;
  /** `undefined` leaves the field out. */
  readonly value: unknown;
  /** Nothing if the value is accepted. */
  readonly refusal?: '400 VALIDATION_ERROR' | '413 PAYLOAD_TOO_LARGE';
  /** The answer to an accepted value, where it is not the success of the row. */
  readonly within?: Field['within'];
}

const bad = '400 VALIDATION_ERROR';

interface Tried {
  readonly value: unknown;
  readonly refusal?: Bound['refusal'];
}

/** n is accepted, n+1 is refused; and so is a required field that is missing. */
export function boundsOf(part: Bound['part'], fields: Fields = {}): Bound[] {
  return Object.entries(fields).flatMap(([field, definition]) =>
    triedOf(definition, part).map((tried) => ({ part, field, within: definition.within, ...tried })),
  );
}

function triedOf({ rule, required, tried }: Field, part: Bound['part']): Tried[] {
  const missing = required ? [{ value: undefined, refusal: bad } as const] : [];
  const values = valuesOf(rule, part).filter(({ refusal }) => tried || refusal);
  return [...missing, ...values];
}

const refuse = (...values: unknown[]): Tried[] => values.map((value) => ({ value, refusal: bad }));
const accept = (...values: unknown[]): Tried[] => values.map((value) => ({ value }));

function valuesOf(rule: Rule, part: Bound['part']): Tried[] {
  switch (rule.kind) {
    case 'range':
      return ofRange(rule.min, rule.max, part);
    case 'length':
      return [
        ...accept(uniqueText(rule.max)),
        ...refuse(uniqueText(rule.max + 1), ...(rule.min > 0 ? ['x'.repeat(rule.min - 1)] : [])),
      ];
    case 'bytes':
      return [
        ...accept('x'.repeat(rule.max)),
        { value: 'x'.repeat(rule.max + 1), refusal: '413 PAYLOAD_TOO_LARGE' },
      ];
    case 'oneOf':
      return [...accept(...rule.values), ...refuse('x-unknown')];
    case 'entries':
      return refuse(Array.from({ length: rule.max + 1 }, (_, index) => `entry-${index}@example.test`));
    case 'flag':
      return [...accept(true), ...refuse('yes')];
    case 'object':
      return refuse('text');
    case 'text':
      return part === 'body' ? refuse(7) : [];
    case 'cursor':
      return refuse('nonsense');
    case 'free':
      return accept('nonsense');
  }
}

let count = 0;
/** Names are unique in an account. */
const uniqueText = (characters: number) => String((count += 1)).padEnd(characters, 'x');

function ofRange(min: number, max: number, part: Bound['part']): Tried[] {
  const isOpen = max === Number.MAX_SAFE_INTEGER;
  const texts = part === 'body' ? [String(min + 1)] : ['x'];
  return [
    ...accept(min, ...(isOpen ? [] : [max])),
    ...refuse(min - 1, min + 0.5, ...texts, ...(isOpen ? [] : [max + 1])),
  ];
}

/** Fields whose default the answer shows: sent without them, it has the default. */
export function shownDefaults(body: Fields = {}, data: object = {}): [string, unknown][] {
  return Object.entries(body).flatMap(([field, { required, otherwise, tried }]) =>
    !required && tried && otherwise !== undefined && field in data
      ? [[field, otherwise] as [string, unknown]]
      : [],
  );
}
