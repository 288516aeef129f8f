import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { installFolder } from '../build/install-files.ts';
import { workspace } from '../stack/settings.ts';

const execute = promisify(execFile);

/** The compiler settings of a careful user: nothing but what the package names is there, and no library is skipped. */
const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'ES2023',
  module: 'nodenext',
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
};

/** Programs that use the package, each as TypeScript and as JavaScript. */
const programs = ['program', 'upload-program'];

/** A folder of a user of the package: the tarball, unpacked, and the dependencies that it names. */
export class InstalledPackage {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Installs the tarball of the client as deployments serve it, without the network. */
  static async make() {
    const folder = await mkdtemp(join(tmpdir(), 'vaultsvc-installed-'));
    const own = join(folder, 'node_modules/@vaultsvc/client');
    await mkdir(own, { recursive: true });
    const tarball = join(installFolder(), 'vaultsvc-client.tgz');
    await execute('tar', ['-xzf', tarball, '--strip-components=1', '-C', own]);
    const manifest = JSON.parse(await readFile(join(own, 'package.json'), 'utf8'));
    for (const name of Object.keys(manifest.dependencies)) await linkPackage(folder, name);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
    for (const name of programs) await addProgram(folder, name);
    return new InstalledPackage(folder);
  }

  /** Checks `program.ts`, or other files, with `tsc --strict`. Returns what the compiler reports; nothing is good. */
  async typeErrors({
    files = ['program.ts'],
    lib,
    types,
  }: {
    files?: string[];
    lib: string[];
    types: string[];
  }): Promise<string> {
    for (const name of types) await linkPackage(this.folder, `@types/${name}`);
    const config = { compilerOptions: { ...compilerOptions, lib, types }, files };
    await writeFile(join(this.folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(workspace, 'node_modules/.bin/tsc');
    return execute(process.execPath, [tsc, '-p', this.folder]).then(
      () => '',
      (error) => error.stdout,
    );
  }

  remove() {
    return rm(this.folder, { recursive: true });
  }
}

async function addProgram(folder: string, name: string) {
  const text = await readFile(join(workspace, `tools/client/${name}.ts`), 'utf8');
  const { code } = await transform(text, { loader: 'ts', format: 'esm' });
  await writeFile(join(folder, `${name}.ts`), text);
  await writeFile(join(folder, `${name}.js`), code);
}

async function linkPackage(folder: string, name: string) {
  const path = join(folder, 'node_modules', name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(join(workspace, 'node_modules', name), path).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
