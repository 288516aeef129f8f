import { parseArgs, type ParseArgsConfig } from 'node:util';
import { optionsOf, type ArgumentSpec, type Command } from './command.js';
import { UsageError } from '../failures.js';
import { nearest } from './nearest.js';

/** A command line that names a command. */
export interface ParsedLine {
  readonly command: Command;
  readonly arguments: ReadonlyMap<string, readonly string[]>;
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly program: readonly string[];
}

/** Most words of the name of a command, such as `vault keys list`. */
const WORDS_MAX = 3;

/** Finds the command with the longest name that the words begin with. */
export function findCommand(words: readonly string[], commands: readonly Command[]): Command | undefined {
  for (let count = WORDS_MAX; count > 0; count--) {
    const name = words.slice(0, count).join(' ');
    const found = commands.find((command) => command.name === name);
    if (found) return found;
  }
  return undefined;
}

/** The commands whose names begin with these words, such as `vault`. */
export function groupOf(words: string, commands: readonly Command[]): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${words} `));
}

/** The longest name of a group that the words begin with, such as `vault keys`; empty if there is none. */
export function groupNameOf(words: readonly string[], commands: readonly Command[]): string {
  for (let count = WORDS_MAX - 1; count > 0; count--) {
    const name = words.slice(0, count).join(' ');
    if (groupOf(name, commands).length > 0) return name;
  }
  return '';
}

/**
 * Parses the words after the name of the program.
 * @throws UsageError for an unknown command or option, and for missing or extra arguments
 */
export function parseCommandLine(words: readonly string[], commands: readonly Command[]): ParsedLine {
  const command = findCommand(words, commands);
  if (!command) throw unknownCommand(words, commands);
  const rest = words.slice(command.name.split(' ').length);
  const { own, program } = splitProgram(rest, command);
  const { values, positionals } = parseOptions(own, command);
  const line = { command, options: values as ParsedLine['options'], program };
  // The help is printed even if the rest of the line is incomplete.
  if (values.help) return { ...line, arguments: new Map() };
  if (command.takesProgram && program.length === 0)
    throw new UsageError('Name a program after --.', command.name);
  return { ...line, arguments: assignArguments(positionals, command) };
}

/** The error of words that name no command, with the one that was probably meant. */
export function unknownCommand(words: readonly string[], commands: readonly Command[]): UsageError {
  const [first = ''] = words;
  const name = groupNameOf(words, commands);
  if (name === '')
    return new UsageError(`There is no command "${first}".${suggestion(first, firstWords(commands))}`);
  const group = groupOf(name, commands).map((command) => command.name);
  const next = words[name.split(' ').length];
  const which = next === undefined || next.startsWith('-') ? 'is incomplete' : 'is unknown';
  const typed = which === 'is unknown' ? `${name} ${next}` : name;
  const meant = which === 'is unknown' ? suggestion(typed, group) : '';
  return new UsageError(`The command "${typed}" ${which}.${meant} There are: ${group.join(', ')}.`, name);
}

const firstWords = (commands: readonly Command[]) => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')),
];

function suggestion(typed: string, words: readonly string[]): string {
  const meant = nearest(typed, words);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/** Everything after the first `--` belongs to the program, options too. */
function splitProgram(words: readonly string[], { takesProgram }: Command) {
  const at = takesProgram ? words.indexOf('--') : -1;
  return at < 0 ? { own: words, program: [] } : { own: words.slice(0, at), program: words.slice(at + 1) };
}

function parseOptions(words: readonly string[], command: Command) {
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    Object.entries(optionsOf(command)).map(([name, { value, isRepeated = false }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple: isRepeated, short: shortNames[name] },
    ]),
  );
  for (const option of Object.values(options)) if (option.short === undefined) delete option.short;
  try {
    const parsed = parseArgs({ args: [...words], options, allowPositionals: true });
    checkChoices(parsed.values, command);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // parseArgs names the option. Its message ends with advice on `--`, which does not apply here.
    const message = `${(error as Error).message.split('. ')[0]}.`.replace('..', '.');
    const [, unknown] = /^Unknown option '--([\w-]+)'/.exec(message) ?? [];
    const known = Object.keys(optionsOf(command));
    const meant = unknown === undefined ? undefined : nearest(unknown, known);
    throw new UsageError(meant === undefined ? message : `${message} Did you mean --${meant}?`, command.name);
  }
}

const shortNames: Readonly<Record<string, string>> = { help: 'h', out: 'o' };

function checkChoices(values: Readonly<Record<string, unknown>>, command: Command): void {
  for (const [name, { choices }] of Object.entries(optionsOf(command))) {
    const given = [values[name]].flat().filter((value) => typeof value === 'string');
    if (choices && !given.every((value) => choices.includes(value)))
      throw new UsageError(`--${name} is one of ${choices.join(', ')}.`, command.name);
  }
}

function assignArguments(positionals: readonly string[], command: Command): Map<string, readonly string[]> {
  const specs = command.arguments ?? [];
  const assigned = new Map(specs.map((spec, i) => [spec.name, valuesOf(spec, i, positionals)]));
  const missing = specs.find((spec) => !spec.isOptional && assigned.get(spec.name)?.length === 0);
  if (missing) throw new UsageError(`Give <${missing.name}>: ${missing.summary}`, command.name);
  const isOpen = specs.at(-1)?.isRepeated;
  if (!isOpen && positionals.length > specs.length) {
    // The word is not repeated: it may be a secret that was typed by mistake.
    throw new UsageError(
      `There are too many arguments: ${positionals.length} instead of ${specs.length}.`,
      command.name,
    );
  }
  for (const { name, choices } of specs) {
    const [value] = assigned.get(name) ?? [];
    if (choices && value !== undefined && !choices.includes(value))
      throw new UsageError(`<${name}> is one of ${choices.join(', ')}.`, command.name);
  }
  return assigned;
}

function valuesOf(spec: ArgumentSpec, i: number, positionals: readonly string[]): readonly string[] {
  return spec.isRepeated ? positionals.slice(i) : positionals.slice(i, i + 1);
}
