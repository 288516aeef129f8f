import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceVersion } from '../build/build-constants.ts';
import { packageFolders } from '../build/bundled-packages.ts';
import { buildCli } from '../build/cli.ts';
import { licencesOf } from '../build/licences.ts';
import { installFolder } from '../build/install-files.ts';
import { buildProvision } from '../image/provision-bundle.ts';
import { workspace } from '../stack/settings.ts';
import { archiveOf } from './archive.ts';
import { changelogSection } from './changelog.ts';
import { writeChecksums } from './checksums.ts';
import { changelog } from './problems.ts';
import { git } from './releases.ts';
import { releasedPackages } from './released-packages.ts';
import { sbomOf } from './sbom.ts';

/**
 * Builds everything that a release consists of, and writes it into the folder.
 * @param commit that it is made of
 * @throws when a build fails
 */
export async function makeArtifacts(folder: string, commit: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  buildAll(commit);
  const named = (name: string) => join(folder, `vaultsvc-${name}`);
  for (const lib of ['client', 'cli'])
    copyFileSync(join(installFolder(), `vaultsvc-${lib}.tgz`), named(`${lib}-${sourceVersion}.tgz`));
  writeFileSync(named(`image-context-${sourceVersion}.tar.gz`), imageContext());
  const chart = join(workspace, 'deploy/chart');
  if (existsSync(chart))
    writeFileSync(named(`chart-${sourceVersion}.tgz`), archiveOf(chart, ['.'], 'vaultsvc'));
  await writeBillOfMaterials(folder, commit);
  const section = changelogSection(changelog(), sourceVersion) ?? changelogSection(changelog(), 'Unreleased');
  writeFileSync(join(folder, 'release-notes.md'), `${section ?? ''}\n`);
  writeChecksums(folder);
}

function buildAll(commit: string) {
  const env = { ...process.env, VAULTSVC_REVISION: commit };
  const { status } = spawnSync(process.execPath, ['tools/build/run.ts'], {
    cwd: workspace,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The build failed');
}

/** The sources, of which `docker/Dockerfile` builds the image: what git tracks. */
function imageContext() {
  const tracked = git('ls-files', '-z')
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(workspace, path)));
  return archiveOf(workspace, tracked, `vaultsvc-${sourceVersion}`);
}

/** The bill of materials and the licences of all packages in the programs. */
async function writeBillOfMaterials(folder: string, commit: string) {
  const scratch = mkdtempSync(join(tmpdir(), 'vaultsvc-release-'));
  try {
    const { included } = await buildCli(join(scratch, 'vaultsvc.mjs'));
    const others = {
      provision: await buildProvision(join(scratch, 'provision')),
      cli: packageFolders(included),
    };
    const packages = releasedPackages(others);
    const named = (kind: string) => join(folder, `vaultsvc-${sourceVersion}.${kind}`);
    writeFileSync(named('cdx.json'), sbomOf({ version: sourceVersion, commit }, packages));
    writeFileSync(named('licenses.txt'), licencesOf(packages.flatMap(({ folder: own }) => own ?? [])));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
