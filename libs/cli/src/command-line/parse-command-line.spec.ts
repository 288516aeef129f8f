import { describe, expect, it } from '@jest/globals';
import type { Command } from './command.js';
import { parseCommandLine } from './parse-command-line.js';

const run = async () => undefined;
const commands: readonly Command[] = [
  {
    name: 'send',
    summary: 'Sends.',
    arguments: [{ name: 'file', summary: 'A file.', isOptional: true }],
    options: { expires: { value: 'duration', summary: 'How long.' } },
    examples: [],
    run,
  },
  {
    name: 'vault open',
    summary: 'Opens.',
    arguments: [{ name: 'vault', summary: 'Name.' }],
    examples: [],
    run,
  },
  { name: 'vault list', summary: 'Lists.', examples: [], run },
  {
    name: 'run',
    summary: 'Runs.',
    arguments: [{ name: 'key', summary: 'Keys.', isRepeated: true }],
    options: { only: { value: 'key', summary: 'Only.', isRepeated: true } },
    takesProgram: true,
    examples: [],
    run,
  },
];
const parse = (line: string) => parseCommandLine(line.split(' '), commands);

describe('a command line', () => {
  it('CLI-10: names a command of one or two words, its arguments and options in any order', () => {
    const line = parse('send --expires 1h a.txt --json');
    expect(line.command.name).toBe('send');
    expect(line.arguments.get('file')).toEqual(['a.txt']);
    expect(line.options).toMatchObject({ expires: '1h', json: true });
    expect(parse('vault open contracts').command.name).toBe('vault open');
  });

  it('CLI-09: passes everything after -- to the program, options too', () => {
    const line = parse('run A B --only C -- node --help --only D');
    expect(line.arguments.get('key')).toEqual(['A', 'B']);
    expect(line.options).toMatchObject({ only: ['C'] });
    expect(line.program).toEqual(['node', '--help', '--only', 'D']);
  });

  it.each([
    ['nothing', 'There is no command "nothing".'],
    ['vault', 'The command "vault" is incomplete. There are: vault open, vault list.'],
    ['vault shut', 'The command "vault shut" is unknown. There are: vault open, vault list.'],
    ['vault open', 'Give <vault>: Name.'],
    ['send --quiet', "Unknown option '--quiet'."],
    ['send --expires', "Option '--expires <value>' argument missing."],
    ['run A', 'Name a program after --.'],
  ])('CLI-03: is refused with exit code 2 and the reason: %s', (line, message) => {
    expect(() => parse(line)).toThrow(expect.objectContaining({ message, exitCode: 2 }));
  });

  it('CLI-01: is refused without a repetition of superfluous words, which may be secrets', () => {
    expect(() => parse('send a hunter2')).toThrow('There are too many arguments: 2 instead of 1.');
  });
});
