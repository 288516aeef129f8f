// npm run release: everything that a release of this source consists of, and its record.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFileSync } from 'node:fs';
import { sourceVersion } from '../build/build-constants.ts';
import { workspace } from '../stack/settings.ts';
import { makeArtifacts } from './artifacts.ts';
import { releasedChangelog } from './changelog.ts';
import { changelog, recordProblems, workspaceProblems } from './problems.ts';
import { git, recordRelease } from './releases.ts';
import { setVersion } from './workspace-version.ts';

const usage = `Usage: npm run release -- [--set VERSION | --check | --record] [--out FOLDER]

  --set VERSION   gives every package the version, and what CHANGELOG.md has as unreleased its heading; commit it, and
                  record the contract with npm run openapi -- release
  --check         checks versions and changelog, builds everything, and writes into FOLDER (dist/release): the packages of
                  client and command line, the image context, the chart, SBOM, licences, release notes and SHA256SUMS
  --record        the same, of a working copy without changes, and adds its commit to docs/releases.json; commit that, and
                  tag the commit that it names
`;

const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    check: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    out: { type: 'string', default: join(workspace, 'dist/release') },
  },
});

const today = () => new Date().toISOString().slice(0, 10);

function set(version: string) {
  setVersion(version);
  writeFileSync(join(workspace, 'CHANGELOG.md'), releasedChangelog(changelog(), version, today()));
  process.stdout.write(`All packages have the version ${version}.\n`);
}

async function make(isRecorded: boolean, folder: string) {
  const problems = [...workspaceProblems(), ...(isRecorded ? recordProblems() : [])];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const commit = git('rev-parse', 'HEAD');
  await makeArtifacts(folder, commit);
  process.stdout.write(`vaultsvc ${sourceVersion} of ${commit} is in ${folder}\n`);
  if (!isRecorded) return;
  recordRelease({ version: sourceVersion, commit, date: today() });
  process.stdout.write('docs/releases.json names it.\n');
}

try {
  if (values.set !== undefined) set(values.set);
  else if (values.check || values.record) await make(values.record, resolve(values.out));
  else {
    process.stdout.write(usage);
    process.exitCode = 2;
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
