import { globalOptions, type ArgumentSpec, type Command, type OptionSpec } from './command.js';
import { exitCodeMeanings } from '../exit-codes.js';

/** The help of the program: all commands, exit codes and variables. */
export function programHelp(commands: readonly Command[]): string {
  return [
    'Sends secrets that can be read once, and keeps files and settings in encrypted vaults.',
    '',
    '  vaultsvc <command> [--json] [--help]',
    '  vaultsvc help [<command>]',
    '  vaultsvc --version',
    '',
    ...commandSections(commands),
    'Secrets are read from the terminal without echo, or from the standard input; never from arguments.',
    'vaultsvc <command> --help shows options and examples.',
    '',
    'Environment:',
    ...columns([
      ['VAULTSVC_URL', 'origin of the API, instead of that of the last login'],
      ['VAULTSVC_API_KEY', 'API key, instead of the stored one'],
    ]),
    '',
    'Exit codes:',
    ...columns(exitCodeMeanings.map(([code, meaning]) => [String(code), meaning])),
    '',
  ].join('\n');
}

/** The commands under their headings, all in the same columns. */
function commandSections(commands: readonly Command[]): string[] {
  const rows = columns(commands.map(({ name, summary }) => [name, summary]));
  const titles = [...new Set(commands.map(({ section = 'Commands' }) => section))];
  return titles.flatMap((title) => [
    `${title}:`,
    ...rows.filter((_, i) => (commands[i]?.section ?? 'Commands') === title),
    '',
  ]);
}

/** The help of a group of commands, such as `vault`. */
export function groupHelp(word: string, commands: readonly Command[]): string {
  return [
    `  vaultsvc ${word} <command> [--json] [--help]`,
    '',
    'Commands:',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    `vaultsvc ${commands[0]?.name} --help shows options and examples of a command.`,
    '',
  ].join('\n');
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { summary, notes = [], examples } = command;
  const sections = [
    [summary, '', `  ${usageLine(command)}`],
    section('Arguments', (command.arguments ?? []).map(argumentRow)),
    section('Options', Object.entries({ ...command.options, ...globalOptions }).map(optionRow)),
    notes,
    ['Examples:', ...examples.flatMap(([comment, line]) => [`  # ${comment}`, `  ${line}`])],
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${blocks.join('\n\n')}\n`;
}

function usageLine({ name, arguments: specs = [], options, takesProgram }: Command): string {
  const placeholders = specs.map(({ name: argument, isOptional, isRepeated }) => {
    const placeholder = `<${argument}>${isRepeated ? '...' : ''}`;
    return isOptional ? `[${placeholder}]` : placeholder;
  });
  const parts = ['vaultsvc', name, ...placeholders, options ? '[options]' : ''];
  return [...parts, takesProgram ? '-- <program> [<argument>...]' : ''].filter((part) => part).join(' ');
}

const argumentRow = ({ name, summary, choices }: ArgumentSpec): [string, string] => [
  name,
  withChoices(summary, choices),
];

const optionRow = ([name, { value, summary, choices }]: [string, OptionSpec]): [string, string] => [
  `--${name}${value === undefined ? '' : ` <${value}>`}`,
  withChoices(summary, choices),
];

function withChoices(summary: string, choices: readonly string[] | undefined): string {
  return choices ? `${summary} One of: ${choices.join(', ')}.` : summary;
}

function section(title: string, rows: readonly [string, string][]): string[] {
  return rows.length === 0 ? [] : [`${title}:`, ...columns(rows)];
}

/** Two columns, the first as wide as its widest cell. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([cell]) => cell.length));
  return rows.map(([cell, text]) => `  ${cell.padEnd(width)}  ${text}`);
}
