import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-start-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

async function start(
  settings: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ code: number; output: string; errors: string }> {
  const env = { ...process.env, VAULTSVC_DIR: join(folder, 'state'), ...settings };
  const child = spawn(process.execPath, ['tools/stack/start.ts', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (errors += data));
  const code = await new Promise<number>((resolve) => child.on('close', resolve));
  return { code, output, errors };
}

/** The npm packages that a module and its static imports need, by the module that imports them. */
function packagesOf(module: string, seen = new Set<string>()): string[] {
  if (seen.has(module)) return [];
  seen.add(module);
  const source = readFileSync(module, 'utf8');
  const imported = [
    ...source.matchAll(/^(?:import|export)(?! type)\b[^;]*?from '([^']+)'|^import '([^']+)'/gm),
  ];
  return imported.flatMap(([, named, bare]) => {
    const target = (named ?? bare) as string;
    if (target.startsWith('node:')) return [];
    return target.startsWith('.')
      ? packagesOf(resolve(module, '..', target), seen)
      : [`${module}: ${target}`];
  });
}

describe('npm start', () => {
  it('runs in a new clone, where nothing is installed', () => {
    const seen = new Set<string>();
    expect(packagesOf(resolve('tools/stack/start.ts'), seen)).toEqual([]);
    expect(seen.size).toBeGreaterThan(20);
  });

  it('installs the packages that the build and the servers import', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };
    const programs = ['build/app', 'identity/provider', 'kms/emulator', 'mail/inbox', 'integrations/server'];
    const imports = programs.flatMap((program) => packagesOf(resolve(`tools/${program}.ts`)));
    const packages = imports.map((line) => /: ((?:@[^/]+\/)?[^/]+)/.exec(line)?.[1] ?? line);
    expect(packages).toContain('oidc-provider');
    expect(packages.filter((name) => !(name in dependencies))).toEqual([]);
  });

  it('reports a port in use with its process and a command with other ports, and leaves no files', async () => {
    // The first port that a start checks.
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, errors } = await start({ VAULTSVC_PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(errors).toMatch(
      new RegExp(
        `Port ${port} \\(gateway\\) is in use by .*\\(pid ${process.pid}\\)\\. .*VAULTSVC_PORT=\\d+ npm start`,
      ),
    );
    expect(readdirSync(join(folder, 'state')).sort()).toEqual(['audit-log', 'logs', 'objects']);
  });

  it.each(['0', '-1', '80.5', 'http', '65500'])('rejects VAULTSVC_PORT=%s with its name', async (port) => {
    const { code, errors } = await start({ VAULTSVC_PORT: port });
    expect({ code, errors: errors.trim() }).toEqual({
      code: 1,
      errors: expect.stringMatching(/^VAULTSVC_PORT must be an integer from 1 to \d+, not "/),
    });
  });

  it.each(['--frehs', '--fresh=yes', 'sparks'])(
    'rejects %s with exit code 2 and a hint, before anything is made',
    async (argument) => {
      const { code, errors } = await start({}, argument);
      expect(code).toBe(2);
      expect(errors).toContain(argument.split('=')[0]);
      expect(errors).toMatch(/npm start -- --help lists all options\.\n$/);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('prints every option and variable with --help, before anything is made', async () => {
    const { code, output } = await start({}, '--watch', '--help');
    expect(code).toBe(0);
    for (const name of [
      '--fresh',
      '--no-install',
      '--watch',
      'VAULTSVC_PORT',
      'VAULTSVC_DIR',
      '8080',
      '.local',
    ])
      expect(output).toContain(name);
    expect(Math.max(...output.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(readdirSync(folder)).toEqual([]);
  });
});
