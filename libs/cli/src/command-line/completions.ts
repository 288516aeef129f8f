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
    '  local first="${COMP_WORDS[1]}" second="${COMP_WORDS[2]}" words="" files=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="${firstWords(commands).join(' ')}"`,
    '  else',
    '    case "$first $second" in',
    ...commands.flatMap(commandCase),
    ...groupCases(commands),
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '  if [ -n "$files" ]; then COMPREPLY+=($(compgen -f -- "$word")); fi',
    '}',
    'complete -o filenames -F _vaultsvc vaultsvc',
  ];
}

function commandCase(command: Command): string[] {
  const { name } = command;
  const pattern = name.includes(' ') ? `"${name}"` : `"${name} "*`;
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

/** While the second word of `vault open` is being typed. */
function groupCases(commands: readonly Command[]): string[] {
  return [...groupsOf(commands)].map(
    ([group, names]) => `      "${group} "*) [ "$COMP_CWORD" -eq 2 ] && words="${names.join(' ')}" ;;`,
  );
}

function groupsOf(commands: readonly Command[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { name } of commands) {
    const [group = '', second] = name.split(' ');
    if (second) groups.set(group, [...(groups.get(group) ?? []), second]);
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

function fishScript(commands: readonly Command[]): string {
  const first = firstWords(commands);
  const groups = [...groupsOf(commands)];
  return [
    'complete -c vaultsvc -f',
    ...first.map((word) => fishWord('__fish_use_subcommand', word, summaryOf(word, commands))),
    ...groups.flatMap(([group, names]) =>
      names.map((name) =>
        fishWord(
          `__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${names.join(' ')}`,
          name,
          summaryOf(`${group} ${name}`, commands),
        ),
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
  const condition = command.name
    .split(' ')
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join('; and ');
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
