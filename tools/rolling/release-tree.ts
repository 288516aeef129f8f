import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { services, workspace } from '../stack/settings.ts';

const run = promisify(execFile);

/** The programs of the services of one release. */
export interface ReleaseTree {
  /** Its name in reports. */
  readonly name: string;
  /** The root of its sources, whose `apps/<service>/dist` has the programs. */
  readonly folder: string;
  /** The oldest release that its copies expect beside them. */
  readonly oldestRelease: string;
  /** Deletes what was made for it. */
  readonly remove: () => void;
}

/** This working copy, built. */
export async function ownTree(): Promise<ReleaseTree> {
  await build(workspace);
  return { name: 'this tree', folder: workspace, oldestRelease: '0.1', remove: () => {} };
}

/** A tree after its rollout, when no way back is needed: it writes its own forms (ADR 58). */
export function finalized(tree: ReleaseTree): ReleaseTree {
  return { ...tree, oldestRelease: '0.2' };
}

/** The last release of docs/releases.json in a temporary copy, built with its own packages. */
export async function lastRelease(): Promise<ReleaseTree> {
  const releases = JSON.parse(readFileSync(join(workspace, 'docs/releases.json'), 'utf8')) as Release[];
  const last = releases.at(-1);
  if (!last) throw new Error('docs/releases.json names no release');
  const parent = mkdtempSync(join(tmpdir(), 'vaultsvc-release-'));
  const folder = join(parent, 'tree');
  execFileSync('git', ['clone', '-q', '--shared', '--no-checkout', workspace, folder]);
  execFileSync('git', ['-C', folder, 'checkout', '-q', last.commit]);
  await installPackages(folder);
  await build(folder);
  const remove = () => rmSync(parent, { recursive: true, force: true });
  return {
    name: `release ${last.version} (${last.commit.slice(0, 8)})`,
    folder,
    oldestRelease: '0.1',
    remove,
  };
}

interface Release {
  readonly version: string;
  readonly commit: string;
}

/** Hard links to those of this tree, where both have the same. */
async function installPackages(folder: string) {
  const lockOf = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(workspace))
    execFileSync('cp', ['-al', join(workspace, 'node_modules'), join(folder, 'node_modules')]);
  else await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

async function build(folder: string) {
  const apps = services.map((service) => `apps/${service}`);
  await run(process.execPath, ['tools/build/app.ts', ...apps], { cwd: folder });
}
