import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Part } from './parts.ts';

/** A mutant in the report of StrykerJS, of the statuses of its schema. */
export interface ReportedMutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status:
    | 'Killed'
    | 'Survived'
    | 'NoCoverage'
    | 'Timeout'
    | 'CompileError'
    | 'RuntimeError'
    | 'Ignored'
    | 'Pending';
  /** Lines and columns from 1. */
  readonly location: { readonly start: Place; readonly end: Place };
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** The mutants of each source, and its text. */
export type Report = Readonly<
  Record<string, { readonly source: string; readonly mutants: readonly ReportedMutant[] }>
>;

const CONFIG = 'stryker.config.json';
const JEST_CONFIG = 'jest.pure.config.json';
const REPORT = 'mutation-report.json';
/** Of property tests that take their number from the environment: every mutant runs them. */
const TRIES = 10;

/**
 * Runs StrykerJS over a part in a copy of the repository.
 * @param folder the copy, in which it plants mutants in place: packages are links to it, and would miss those of a sandbox
 * @param seed which third of the lines of a slow part is tried; `signal` ends the run
 * @returns undefined if the run was ended
 * @throws Error if it fails, for example because a spec fails without a mutant
 */
export async function runStryker(
  part: Part,
  folder: string,
  { seed, signal }: { readonly seed: number; readonly signal: AbortSignal },
): Promise<Report | undefined> {
  const report = join(folder, REPORT);
  rmSync(report, { force: true });
  writeFileSync(join(folder, CONFIG), JSON.stringify(configOf(part, folder, seed)));
  writeFileSync(join(folder, JEST_CONFIG), JSON.stringify(jestConfigOf(part)));
  const code = await runProgram(folder, signal);
  if (signal.aborted) return undefined;
  if (code !== 0) throw new Error(`StrykerJS failed with ${code} in ${part.name}`);
  return (JSON.parse(readFileSync(report, 'utf8')) as { files: Report }).files;
}

function runProgram(folder: string, signal: AbortSignal): Promise<number | null> {
  const args = ['tools/run.cjs', 'node_modules/.bin/stryker', 'run', CONFIG];
  // A group of its own: its test runners end with it.
  const env = { ...process.env, TRIES: String(TRIES) };
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'inherit', detached: true, env });
  const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  return new Promise((resolve) =>
    child.on('close', (code) => {
      signal.removeEventListener('abort', end);
      resolve(code);
    }),
  );
}

const THIRDS = 3;

/** Every third line of the sources below these folders. A mutant of several lines is in none of them. */
function thirdOf(sources: readonly string[], folder: string, seed: number): string[] {
  return sources.flatMap((glob) => {
    const base = glob.slice(0, glob.indexOf('/**'));
    const names = readdirSync(join(folder, base), { recursive: true, encoding: 'utf8' });
    return names.filter(isMutated).flatMap((name) => thirdOfFile(`${base}/${name}`, folder, seed));
  });
}

const isMutated = (name: string) => name.endsWith('.ts') && !/(\.spec|\bindex)\.ts$/.test(name);

function thirdOfFile(path: string, folder: string, seed: number): string[] {
  const lines = readFileSync(join(folder, path), 'utf8')
    .split('\n')
    .map((_, index) => index + 1);
  return lines.filter((line) => line % THIRDS === seed % THIRDS).map((line) => `${path}:${line}-${line}`);
}

function configOf({ sources, isSlow = false }: Part, folder: string, seed: number) {
  return {
    mutate: isSlow ? thirdOf(sources, folder, seed) : [...sources, '!**/*.spec.ts', '!**/index.ts'],
    inPlace: true,
    testRunner: 'jest',
    testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
    coverageAnalysis: 'perTest',
    ignoreStatic: isSlow,
    concurrency: availableParallelism(),
    // Modules that a test run has loaded are never freed.
    maxTestRunnerReuse: 40,
    timeoutMS: 10_000,
    disableTypeChecks: false,
    checkers: [],
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: REPORT },
    thresholds: { high: 100, low: 0, break: null },
    // A file of its own: it would be merged with jest.config.ts, whose workers keep modules from test to test.
    jest: { projectType: 'custom', configFile: JEST_CONFIG, enableFindRelatedTests: true },
  };
}

/** As jest.config.ts has it, without servers. */
function jestConfigOf({ specs }: Part) {
  const { $schema: _, ...swc } = JSON.parse(
    readFileSync(new URL('../../../.swcrc', import.meta.url), 'utf8'),
  ) as Record<string, unknown>;
  return {
    testEnvironment: 'node',
    roots: [...new Set(specs.map(folderOf))],
    testMatch: specs.map((glob) => `<rootDir>/${glob}`),
    extensionsToTreatAsEsm: ['.ts'],
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
    testEnvironmentOptions: { customExportConditions: ['@vaultsvc/source', 'node', 'node-addons'] },
    transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
    setupFiles: ['reflect-metadata'],
  };
}

/** The folder before the first pattern of a glob: Jest reads no other for the specs of a part. */
function folderOf(glob: string): string {
  return `<rootDir>/${glob.split('/').slice(0, 3).join('/')}`;
}
