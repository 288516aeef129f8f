import type { Command } from './command-line/command.js';

/**
 * The problems of `details.fields` of a VALIDATION_ERROR as sentences, in the words of the command line: `--for` instead of
 * `invites.0`. Their messages never contain values.
 */
export function fieldProblems(
  { fields }: Readonly<Record<string, unknown>>,
  command: Command | undefined,
): string[] {
  if (!Array.isArray(fields)) return [];
  const names = optionNames(command);
  const sentences = (fields as { readonly field?: unknown; readonly message?: unknown }[]).flatMap(
    ({ field, message }) =>
      typeof field === 'string' && typeof message === 'string' ? [sentenceOf(field, message, names)] : [],
  );
  return [...new Set(sentences)];
}

function optionNames({ arguments: specs = [], options = {} }: Partial<Command> = {}): Map<string, string> {
  const named = Object.entries(options).map(([name, { field }]) => [field, `--${name}`] as const);
  const given = specs.map(({ name, field }) => [field, `<${name}>`] as const);
  return new Map([...given, ...named].flatMap(([field, name]) => (field ? [[field, name]] : [])));
}

/** Messages without a subject, which is their field. */
const MODAL = /^(?:must|needs|lacks) /;

function sentenceOf(field: string, message: string, names: ReadonlyMap<string, string>): string {
  const [root = field] = field.split('.');
  const name = names.get(root) ?? field;
  const [first = '', ...rest] = message.split(' ');
  // Some messages begin with their field.
  const isNamed = first === root || first === field || first === field.split('.').at(-1);
  const text = isNamed ? [name, ...rest].join(' ') : `${name}${MODAL.test(message) ? '' : ':'} ${message}`;
  return text.endsWith('.') ? text : `${text}.`;
}
