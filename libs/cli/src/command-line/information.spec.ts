import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commands } from '../commands/index.js';
import { CliFixture } from '../testing/cli-fixture.js';
import { findCommand } from './parse-command-line.js';
import { commandHelp } from './help.js';

let cli: CliFixture;
beforeAll(async () => void (cli = await CliFixture.start()));
afterAll(() => cli.stop());

const helpOf = (name: string) => {
  const command = findCommand(name.split(' '), commands);
  return command && commandHelp(command);
};

describe('a question to the command line', () => {
  it('CLI-10: prints the version of the package', async () => {
    const path = fileURLToPath(new URL('../../package.json', import.meta.url));
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
    expect(await cli.run('--version')).toMatchObject({
      code: 0,
      stdout: `vaultsvc ${version}\n`,
      stderr: '',
    });
    expect(JSON.parse((await cli.run('--version --json')).stdout)).toEqual({ version });
  });

  it.each(['send', 'secrets set', 'vault open'])(
    'CLI-10: prints the help of the command that help names: %s',
    async (name) => {
      for (const line of [`help ${name}`, `--help ${name}`, `${name} --help`])
        expect(await cli.run(line)).toMatchObject({ code: 0, stdout: helpOf(name), stderr: '' });
    },
  );

  it.each(['secrets --help', 'secrets -h', 'help secrets', 'secrets frob --help'])(
    'CLI-10: prints the commands of a group: %s',
    async (line) => {
      const { code, stdout } = await cli.run(line);
      expect(code).toBe(0);
      for (const name of ['secrets get', 'secrets set', 'secrets run'])
        expect(stdout).toContain(`  ${name} `);
      expect(stdout).not.toContain('vault open');
    },
  );

  it.each([
    ['sned', 'There is no command "sned". Did you mean "send"?'],
    ['help sned', 'There is no command "sned". Did you mean "send"?'],
    ['Upload a b', 'There is no command "Upload". Did you mean "upload"?'],
    ['vualt open', 'There is no command "vualt". Did you mean "vault"?'],
    ['vault opne box', 'The command "vault opne" is unknown. Did you mean "vault open"?'],
    ['send --exipres 1h', "Unknown option '--exipres'. Did you mean --expires?"],
  ])('CLI-10 CLI-03: suggests what was probably meant, with exit code 2: %s', async (line, message) => {
    const { code, stdout, stderr } = await cli.run(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('CLI-10: suggests nothing for a word that resembles no command', async () => {
    expect((await cli.run('hunter2')).stderr).not.toContain('Did you mean');
  });
});
