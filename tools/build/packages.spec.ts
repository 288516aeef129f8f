import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publint } from 'publint';
import { workspace } from '../stack/settings.ts';
import { installFolder } from './install-files.ts';
import { pack } from './pack.ts';

const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-packages-'));
const libs = ['client', 'cli'] as const;
const packageOf = (lib: string) => join(folder, lib);
const tarballOf = (lib: string) => readFileSync(join(installFolder(), `vaultsvc-${lib}.tgz`));
const read = (lib: string, name: string) => readFileSync(join(packageOf(lib), name), 'utf8');
const manifestOf = (lib: string) => JSON.parse(read(lib, 'package.json'));
const filesOf = (lib: string) =>
  readdirSync(packageOf(lib), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(packageOf(lib).length + 1));

beforeAll(() => {
  for (const lib of libs) {
    mkdirSync(packageOf(lib));
    const input = tarballOf(lib);
    execFileSync('tar', ['-xz', '--strip-components=1', '-C', packageOf(lib)], { input });
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(libs)('the tarball of the %s', (lib) => {
  it('PKG-01: passes publint, with its suggestions', async () => {
    const { messages } = await publint({ pkgDir: packageOf(lib), pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  it('PKG-01: has the fields that a registry shows, and none of the workspace', () => {
    const manifest = manifestOf(lib);
    const { version } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: `@vaultsvc/${lib}`,
      version,
      license: 'Apache-2.0',
      engines: { node: '>=20.19' },
      repository: { type: 'git', url: expect.stringMatching(/^git\+https:/), directory: `libs/${lib}` },
      bugs: { url: expect.stringMatching(/^https:/) },
      homepage: expect.stringMatching(/^https:/),
    });
    expect(manifest.description.length).toBeGreaterThan(20);
    expect(manifest.keywords.length).toBeGreaterThan(2);
    for (const field of ['private', 'nx', 'workspaces', 'scripts', 'devDependencies'])
      expect(manifest).not.toHaveProperty(field);
    expect(JSON.stringify(manifest)).not.toMatch(/workspace:|file:|@vaultsvc\/source/);
  });

  it('PKG-01: has readme, changelog and licence, whose links lead somewhere', () => {
    for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE']) expect(filesOf(lib)).toContain(name);
    for (const name of filesOf(lib).filter((file) => file.endsWith('.md')))
      for (const [, target = ''] of read(lib, name).matchAll(/\]\(([^)]+)\)/g))
        expect([
          name,
          target,
          /^(https:|#)/.test(target) || existsSync(join(packageOf(lib), target)),
        ]).toEqual([name, target, true]);
    expect(read(lib, 'LICENSE')).toContain('Apache License');
  });

  it('PKG-01: has no spec, no test helper, no source and no source map', () => {
    expect(filesOf(lib).filter((name) => /\.(spec|e2e)\.|testing\/|(?<!\.d)\.ts$|\.map$/.test(name))).toEqual(
      [],
    );
    for (const name of filesOf(lib)) expect(read(lib, name)).not.toContain('sourceMappingURL');
  });

  it('PKG-02: has the same bytes when the same files are packed again', async () => {
    const again = join(folder, `${lib}-again`);
    mkdirSync(again);
    for (const name of filesOf(lib)) {
      mkdirSync(join(again, name, '..'), { recursive: true });
      const isProgram = Object.values(manifestOf(lib).bin ?? {}).includes(name);
      writeFileSync(join(again, name), read(lib, name), { mode: isProgram ? 0o755 : 0o644 });
    }
    expect((await pack(again)).equals(tarballOf(lib))).toBe(true);
  });
});

describe('the packages of the workspace', () => {
  it('PKG-06: have one version, and so has the command line', () => {
    const { version } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
    const folders = ['apps', 'libs'].flatMap((kind) =>
      readdirSync(join(workspace, kind)).map((name) => join(kind, name)),
    );
    for (const path of folders)
      expect([path, JSON.parse(readFileSync(join(workspace, path, 'package.json'), 'utf8')).version]).toEqual(
        [path, version],
      );
    const constant = readFileSync(join(workspace, 'libs/cli/src/version.ts'), 'utf8');
    expect(constant).toContain(`'${version}'`);
  });

  it('PKG-01: are not packed from their sources', () => {
    for (const lib of libs)
      expect(() =>
        execFileSync('npm', ['pack', '--dry-run', '--loglevel=silent'], {
          cwd: join(workspace, 'libs', lib),
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      ).toThrow(/npm run build/);
  });
});
