import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../../../../', import.meta.url));
const modules = join(workspace, 'node_modules');

/** The errors of the compiler for these modules, in a project that has the client as a package; empty without any. */
export function typeErrorsOf(sources: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-samples-'));
  try {
    symlinkSync(modules, join(folder, 'node_modules'));
    const settings = {
      extends: join(workspace, 'tsconfig.base.json'),
      compilerOptions: { noEmit: true, types: ['node'], typeRoots: [join(modules, '@types')] },
      include: ['*.ts'],
    };
    const files = sources.map((source, index) => [`sample-${index}.ts`, source] as const);
    for (const [name, text] of [
      ...files,
      ['package.json', '{"type":"module"}'] as const,
      ['tsconfig.json', JSON.stringify(settings)] as const,
    ])
      writeFileSync(join(folder, name), text);
    const compiler = spawnSync(process.execPath, [join(modules, '.bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    });
    return compiler.stdout + compiler.stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
