import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'acorn';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildCli } from '../build/cli.ts';
import { findNode } from '../node/releases.cjs';
import { oldestNode } from '../node/oldest-node.ts';
import { workspace } from '../stack/settings.ts';

const { version } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
const answer = `vaultsvc ${version}\n`;
const nodes = [oldestNode(), findNode('24') ?? process.execPath];
const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-start-'));
const bundle = join(folder, 'vaultsvc.mjs');
beforeAll(() => buildCli(bundle));
afterAll(() => rmSync(folder, { recursive: true }));

/** The processor time of a program in milliseconds. */
function processorMs(node: string, ...args: string[]): number {
  const script = 'TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null';
  const { stderr } = spawnSync('bash', ['-c', script, node, ...args], { encoding: 'utf8' });
  const [user = NaN, system = NaN] = stderr.trim().split(' ').map(Number);
  return 1_000 * (user + system);
}

/** The modules of Node that the command line loads beyond those of an empty program. */
function loadedModules(node: string, option: string): string[] {
  const program = `
    const before = new Set(process.moduleLoadList);
    process.on('exit', () => process.stderr.write(process.moduleLoadList.filter((name) => !before.has(name)).join()));
    process.argv = [process.execPath, process.argv[1], process.argv[2]];
    import(require('node:url').pathToFileURL(process.argv[1]));`;
  const { stderr } = spawnSync(node, ['-e', program, '--', bundle, option], { encoding: 'utf8' });
  return stderr.split(',').map((name) => name.replace('NativeModule ', ''));
}

describe('PKG-04: the command line', () => {
  it.each(['--version', '--help'])('answers %s without what transfers and ciphers need', (option) => {
    for (const node of nodes) {
      const loaded = loadedModules(node, option);
      expect(loaded).toContain('stream');
      for (const heavy of ['tls', 'https', 'http', 'crypto', 'child_process', 'dgram', 'zlib'])
        expect(loaded).not.toContain(heavy);
    }
  });

  // An empty program takes 0.05 s. On a busy machine both take longer, and their ratio stays.
  it('starts in less than four times the processor time of an empty program', () => {
    for (const node of nodes) {
      const ratios = [1, 2, 3].map(() => processorMs(node, bundle, '--help') / processorMs(node, '-e', '0'));
      expect(Math.min(...ratios)).toBeLessThan(4);
    }
  });
});

describe('the script of the executable', () => {
  it('PKG-05: answers as the bundle does', async () => {
    const script = join(folder, 'vaultsvc.cjs');
    await buildCli(script, 'cjs');
    for (const node of nodes)
      for (const option of ['--version', '--help'])
        expect(execFileSync(node, [script, option], { encoding: 'utf8' })).toBe(
          execFileSync(node, [bundle, option], { encoding: 'utf8' }),
        );
  });
});

describe('the command line of a clone', () => {
  it('PKG-04: can be parsed by a Node that is too old, which it refuses in a sentence', () => {
    for (const path of ['libs/cli/bin/vaultsvc.cjs', 'tools/cli/start.cjs'])
      expect(() =>
        parse(readFileSync(join(workspace, path), 'utf8'), { ecmaVersion: 5, allowHashBang: true }),
      ).not.toThrow();
  });

  const clone = join(folder, 'clone');
  const program = join(clone, 'libs/cli/bin/vaultsvc.cjs');
  const built = join(clone, '.cache/cli/vaultsvc.mjs');
  const source = join(clone, 'libs/cli/src/version.ts');
  const run = () => execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8', cwd: folder });

  beforeAll(() => {
    const sources = [
      'libs/cli',
      'libs/client',
      'libs/transparency',
      'libs/crypto',
      'libs/contracts',
      'libs/config',
    ];
    for (const path of [...sources, 'tools', 'package.json', 'package-lock.json', '.swcrc'])
      cpSync(join(workspace, path), join(clone, path), {
        recursive: true,
        filter: (name) => !name.endsWith('dist') && !name.endsWith('.spec.ts'),
      });
    // Packages of the workspace are those of the clone.
    mkdirSync(join(clone, 'node_modules/@vaultsvc'), { recursive: true });
    for (const path of sources)
      symlinkSync(join(clone, path), join(clone, 'node_modules/@vaultsvc', path.slice('libs/'.length)));
    for (const name of readdirSync(join(workspace, 'node_modules')))
      if (!name.startsWith('.') && name !== '@vaultsvc')
        symlinkSync(join(workspace, 'node_modules', name), join(clone, 'node_modules', name));
  });

  it('PKG-04: is built at its first run, and after a change of a source alone', () => {
    expect(run()).toBe(answer);
    // A marked bundle shows whether it ran.
    writeFileSync(built, `process.stdout.write('not built again\\n');`);
    expect(run()).toBe('not built again\n');
    writeFileSync(source, readFileSync(source, 'utf8').replace(version, '99.0.0'));
    expect(run()).toBe('vaultsvc 99.0.0\n');
    const now = new Date();
    utimesSync(join(clone, 'package-lock.json'), now, now);
    writeFileSync(built, `process.stdout.write('not built again\\n');`);
    expect(run()).toBe('vaultsvc 99.0.0\n');
    expect(existsSync(join(clone, 'libs/cli/dist'))).toBe(false);
  });
});
