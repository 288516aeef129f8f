import { VERSION } from '../version.js';
import type { Command } from './command.js';
import { commandHelp, groupHelp, programHelp } from './help.js';
import { findCommand, groupNameOf, groupOf, unknownCommand } from './parse-command-line.js';

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h']);

/**
 * What a command line asks for without running a command: the version, or the help of the program, of a group or of a
 * command. Undefined for a line that runs a command.
 * @throws UsageError for the help of an unknown command
 */
export function requestedInformation(
  words: readonly string[],
  commands: readonly Command[],
): string | undefined {
  const [first = ''] = words;
  if (first === '--version' || first === 'version') return versionText(words.includes('--json'));
  if (HELP.has(first))
    return helpOf(
      words.slice(1).filter((word) => !word.startsWith('-')),
      commands,
    );
  const group = groupNameOf(words, commands);
  const isOfGroup = group !== '' && !findCommand(words, commands);
  if (isOfGroup && words.slice(1).some((word) => word !== 'help' && HELP.has(word)))
    return groupHelp(group, groupOf(group, commands));
  return undefined;
}

function versionText(isJson: boolean): string {
  return isJson ? `${JSON.stringify({ version: VERSION })}\n` : `vaultsvc ${VERSION}\n`;
}

function helpOf(topic: readonly string[], commands: readonly Command[]): string {
  if (topic.length === 0) return programHelp(commands);
  const name = topic.join(' ');
  const group = groupOf(name, commands);
  const command = findCommand(topic, commands);
  if (group.length > 0 && command?.name !== name) return groupHelp(name, group);
  if (!command) throw unknownCommand(topic, commands);
  return commandHelp(command);
}
