import { optionsOf, type Command } from './command.js';

/** The shells for which there are completions. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The script that completes commands, options, their choices and names of files. It holds no names of vaults or files. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  if (shell === 'fish') return fishScript(commands);
  const prelude = shell === 'zsh' ? ['#compdef vaultsvc', 'autoload -U +X bashcompinit && bashcompinit'] : [];
  return [...prelude, ...bashScript(commands), ''].join('\n');
}

/** One function for bash, which zsh runs with bashcompinit. */
function bashScript(commands: readonly Command[]): string[] {
  return [
    '_vaultsvc() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
    '  local first="${COMP_WORDS[1]}" second="${COMP_WORDS[2]}" third="${COMP_WORDS[3]}" words="" files=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="${firstWords(commands).join(' ')}"`,
    '  else',
    '    case "$first $second $third" in',
    ...commands.toSorted(byWords).flatMap(commandCase),
    ...groupCases(commands),
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '  if [ -n "$files" ]; then COMPREPLY+=($(compgen -f -- "$word")); fi',
    '}',
    'complete -o filenames -F _vaultsvc vaultsvc',
  ];
}

const wordsIn = (name: string) => name.split(' ').length;
/** A longer name is matched first: `vault keys list` before `vault`. */
const byWords = (a: Command, b: Command) => wordsIn(b.name) - wordsIn(a.name);

function commandCase(command: Command): string[] {
  const { name } = command;
  const pattern = wordsIn(name) === 3 ? `"${name}"` : `"${name} "*`;
  const values = Object.entries(optionsOf(command)).filter(([, option]) => option.value !== undefined);
  return [
    `      ${pattern})`,
    '        case "$before" in',
    ...values.map(
      ([option, { choices, isFile }]) =>
        `          --${option}) words="${choices?.join(' ') ?? ''}"${isFile ? ' files=1' : ''} ;;`,
    ),
    `          *) words="${wordsOf(command).join(' ')}"${takesFile(command) ? ' files=1' : ''} ;;`,
    '        esac',
    '        ;;',
  ];
}

/** While the next word of `vault open` is being typed. */
function groupCases(commands: readonly Command[]): string[] {
  return [...groupsOf(commands)]
    .toSorted(([a], [b]) => wordsIn(b) - wordsIn(a))
    .map(([group, names]) => {
      const last = group.split(' ').at(-1) ?? '';
      const words = (count: number, some: string) => `[ "$COMP_CWORD" -eq ${count} ] && words="${some}"`;
      const count = wordsIn(group);
      return `      "${group} "*) ${words(count, last)}; ${words(count + 1, [...names].join(' '))} ;;`;
    });
}

/** The groups, such as `vault` and `vault keys`, with the words that follow. */
function groupsOf(commands: readonly Command[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { name } of commands) {
    const words = name.split(' ');
    for (let count = 1; count < words.length; count++) {
      const group = words.slice(0, count).join(' ');
      groups.set(group, (groups.get(group) ?? new Set()).add(words[count] ?? ''));
    }
  }
  return groups;
}

const firstWords = (commands: readonly Command[]) => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')),
];

function wordsOf(command: Command): string[] {
  const choices = (command.arguments ?? []).flatMap((argument) => argument.choices ?? []);
  return [...choices, ...Object.keys(optionsOf(command)).map((name) => `--${name}`)];
}

const takesFile = ({ arguments: specs = [] }: Command) => specs.some(({ isFile }) => isFile);

/** Whether these words, and for `at` no others, were typed. The first word of a line is vaultsvc. */
const FISH_FUNCTIONS: readonly string[] = [
  'function __vaultsvc_words',
  "    commandline -opc | string match -v -- '-*'",
  'end',
  'function __vaultsvc_in',
  '    set -l words (__vaultsvc_words)',
  '    set -l place 1',
  '    for word in $argv',
  '        set place (math $place + 1)',
  '        test "$words[$place]" = "$word"; or return 1',
  '    end',
  '    true',
  'end',
  'function __vaultsvc_at',
  '    test (count (__vaultsvc_words)) -eq (math (count $argv) + 1); and __vaultsvc_in $argv',
  'end',
];

function fishScript(commands: readonly Command[]): string {
  const first = firstWords(commands);
  const groups = [...groupsOf(commands)];
  return [
    ...FISH_FUNCTIONS,
    'complete -c vaultsvc -f',
    ...first.map((word) => fishWord('__vaultsvc_at', word, summaryOf(word, commands))),
    ...groups.flatMap(([group, names]) =>
      [...names].map((name) =>
        fishWord(`__vaultsvc_at ${group}`, name, summaryOf(`${group} ${name}`, commands)),
      ),
    ),
    ...commands.flatMap(fishOptions),
    '',
  ].join('\n');
}

function summaryOf(name: string, commands: readonly Command[]): string {
  return commands.find((command) => command.name === name)?.summary ?? `commands of ${name}`;
}

const fishWord = (condition: string, word: string, summary: string) =>
  `complete -c vaultsvc -n '${condition}' -a '${word}' -d '${fishText(summary)}'`;

function fishOptions(command: Command): string[] {
  const condition = `__vaultsvc_in ${command.name}`;
  const options = Object.entries(optionsOf(command)).map(([name, { value, choices, isFile, summary }]) => {
    const argument = value === undefined ? '' : ` -x${choices ? ` -a '${choices.join(' ')}'` : ''}`;
    const kind = isFile ? ' -r -F' : argument;
    return `complete -c vaultsvc -n '${condition}' -l ${name}${kind} -d '${fishText(summary)}'`;
  });
  const choices = (command.arguments ?? []).flatMap((argument) => argument.choices ?? []);
  const words = choices.map((word) => `complete -c vaultsvc -n '${condition}' -a '${word}'`);
  return [...options, ...words, ...(takesFile(command) ? [`complete -c vaultsvc -n '${condition}' -F`] : [])];
}

const fishText = (text: string) => text.replaceAll("'", "\\'");
