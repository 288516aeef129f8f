/** An expression of the language itself, which is printed as it is. */
export class Expression {
  constructor(readonly source: string) {}
}

/** How a language writes values. */
export interface LiteralSyntax {
  readonly text: (value: string) => string;
  /** The name of a field. */
  readonly key: (name: string) => string;
  /** null, true and false. */
  readonly words: Readonly<Record<'null' | 'true' | 'false', string>>;
  /** Between the parts of one line: after a comma and a colon, and inside braces. */
  readonly space: string;
  readonly padding: string;
  /** The indentation of a level. */
  readonly indent: string;
  /** The comma after the last of several lines, if the language has one. */
  readonly lastComma: ',' | '';
}

const words = { null: 'null', true: 'true', false: 'false' };

export const json: LiteralSyntax = {
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  words,
  space: '',
  padding: '',
  indent: '  ',
  lastComma: '',
};

export const python: LiteralSyntax = {
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  words: { null: 'None', true: 'True', false: 'False' },
  space: ' ',
  padding: '',
  indent: '    ',
  lastComma: ',',
};

export const typeScript: LiteralSyntax = {
  text: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`),
  words,
  space: ' ',
  padding: ' ',
  indent: '  ',
  lastComma: ',',
};

const WIDTH = 88;

/** A value in a language: on one line if it fits beside `before` characters, otherwise with a line for each field. */
export function literal(value: unknown, syntax: LiteralSyntax, before = 0, indent = ''): string {
  const line = oneLine(value, syntax);
  if (line.length + before + indent.length <= WIDTH || !isNested(value)) return line;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const inner = indent + syntax.indent;
  const parts = entriesOf(value).map(([name, item]) => {
    const key = name === undefined ? '' : `${syntax.key(name)}: `;
    return `${inner}${key}${literal(item, syntax, key.length + 1, inner)}`;
  });
  return `${open}\n${parts.join(',\n')}${syntax.lastComma}\n${indent}${close}`;
}

function oneLine(value: unknown, syntax: LiteralSyntax): string {
  if (value instanceof Expression) return value.source;
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value === 'number') return String(value);
  if (!isNested(value)) return syntax.words[String(value) as keyof LiteralSyntax['words']];
  const { space } = syntax;
  const parts = entriesOf(value).map(
    ([name, item]) => `${name === undefined ? '' : `${syntax.key(name)}:${space}`}${oneLine(item, syntax)}`,
  );
  const text = parts.join(`,${space}`);
  if (Array.isArray(value)) return `[${text}]`;
  const padding = parts.length > 0 ? syntax.padding : '';
  return `{${padding}${text}${padding}}`;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Expression);
}

/** The items of a list, without names, or the fields of an object. */
function entriesOf(value: object): [string | undefined, unknown][] {
  return Array.isArray(value) ? value.map((item) => [undefined, item]) : Object.entries(value);
}
