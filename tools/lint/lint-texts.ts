import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Finding {
  readonly rule: string;
  readonly message: string;
}

interface Text {
  /** Relative to the workspace. The part `fixture` of a name stands for a name of its own. */
  readonly path: string;
  readonly text: string;
}

/**
 * Lints texts by the linter and the configuration of this workspace, as files of a temporary one: oxlint reads files only, and
 * a fault planted in this one would fail a lint that runs beside the tests.
 * @param texts to lint
 * @param hasTypes whether rules that use types judge them
 * @returns the findings of each text
 */
export function lintTexts(texts: readonly Text[], { hasTypes }: { hasTypes: boolean }): Finding[][] {
  const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-lint-'));
  try {
    const paths = texts.map(({ path }, index) => path.replace('fixture', `fixture-${index}`));
    for (const [index, path] of paths.entries()) write(join(folder, path), texts[index]?.text ?? '');
    prepare(folder, hasTypes);
    const findings = lint(folder);
    return paths.map((path) => findings.filter(({ filename }) => filename === path).map(findingOf));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function prepare(folder: string, hasTypes: boolean) {
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const base = resolve('tsconfig.base.json');
  write(join(folder, 'tsconfig.json'), JSON.stringify({ extends: base, include: ['apps', 'libs', 'tools'] }));
  const config = pathToFileURL(resolve('oxlint.config.ts'));
  write(
    join(folder, 'oxlint.config.ts'),
    `import config from '${config.href}';\n` +
      `export default { ...config, options: { ...config.options, typeAware: ${hasTypes} } };\n`,
  );
}

function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

interface Diagnostic {
  readonly message: string;
  /** What to do, such as the message of `no-restricted-imports`. */
  readonly help?: string;
  /** `eslint(no-empty)`; missing for text that does not parse. */
  readonly code?: string;
  readonly filename: string;
}

function lint(folder: string): Diagnostic[] {
  const program = [resolve('tools/run.cjs'), resolve('node_modules/.bin/oxlint'), '--format=json', '.'];
  const { stdout, stderr } = spawnSync(process.execPath, program, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
  } catch (error) {
    throw new Error(`oxlint failed: ${stdout}${stderr}`, { cause: error });
  }
}

/** The name of a rule as in the configuration, where those of ESLint have no prefix. */
function findingOf({ code = 'syntax', message, help = '' }: Diagnostic): Finding {
  const rule = code.replace(/^(.*)\((.*)\)$/, '$1/$2').replace(/^eslint\//, '');
  return { rule, message: `${message} ${help}`.trimEnd() };
}
