import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { commands } from '../commands/index.js';
import { optionsOf } from './command.js';
import { completionScript } from './completions.js';
import { commandHelp, programHelp } from './help.js';

/** The completions of bash after these words. */
function completed(...words: string[]): string[] {
  const script = `${completionScript('bash', commands)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vaultsvc; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'vaultsvc', ...words], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

describe('the completions of bash', () => {
  it('CLI-10: name the commands, and those of a group', () => {
    expect(completed('se')).toEqual(['send', 'secrets', 'sessions', 'settings']);
    expect(completed('vault', '')).toEqual(['create', 'list', 'open', 'seal', 'share', 'keys']);
    expect(completed('vault', 'keys', '')).toEqual(['list', 'create', 'revoke']);
    expect(completed('vault', 'keys')).toEqual(['keys']);
  });

  it('CLI-10: name options and the choices of an option', () => {
    expect(completed('vault', 'open', '--')).toEqual(['--key-stdin', '--expires', '--json', '--help']);
    expect(completed('vault', 'keys', 'list', 'box', '--status', 'r')).toEqual(['revoked']);
    expect(completed('random', '--format', 'u')).toEqual(['uuid']);
    expect(completed('completion', 'f')).toEqual(['fish']);
  });
});

describe('every command', () => {
  it.each(commands.map((command) => [command.name, command] as const))(
    'CLI-10: is in the help and in all completions, with its options and an example: %s',
    (name, command) => {
      expect(programHelp(commands)).toContain(`  ${name} `);
      expect(commandHelp(command)).toContain(`vaultsvc ${name}`);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const option of Object.keys(optionsOf(command))) {
        expect(commandHelp(command)).toContain(`--${option}`);
        expect(completionScript('bash', commands)).toContain(`--${option}`);
        expect(completionScript('fish', commands)).toContain(`-l ${option}`);
      }
    },
  );

  it('CLI-10: has a name that zsh completes by the functions for bash', () => {
    expect(completionScript('zsh', commands)).toMatch(/^#compdef vaultsvc\n.*bashcompinit/);
  });
});
