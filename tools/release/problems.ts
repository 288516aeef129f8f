import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceVersion } from '../build/build-constants.ts';
import { workspace } from '../stack/settings.ts';
import { changelogProblems, changelogSection, isNewer } from './changelog.ts';
import { git, hasHistory, isCommit, readReleases } from './releases.ts';
import { differingVersions } from './workspace-version.ts';

/** What stands against any release of this working copy, one sentence each. */
export function workspaceProblems(): string[] {
  const lost = hasHistory() ? readReleases().filter(({ commit }) => !isCommit(commit)) : [];
  return [
    ...differingVersions().map((path) => `${path} has another version than package.json`),
    ...changelogProblems(changelog()).map((problem) => `CHANGELOG.md: ${problem}`),
    ...lost.map(
      ({ version, commit }) => `docs/releases.json: ${version} names ${commit}, which is no commit`,
    ),
  ];
}

/** What else stands against recording the release now, one sentence each. */
export function recordProblems(): string[] {
  const last = readReleases().at(-1)?.version;
  const problems = git('status', '--porcelain') === '' ? [] : ['There are changes without a commit.'];
  if (last !== undefined && !isNewer(sourceVersion, last))
    problems.push(`${sourceVersion} is not newer than ${last}: npm run release -- --set VERSION`);
  if (changelogSection(changelog(), sourceVersion) === undefined)
    problems.push(`CHANGELOG.md has no section for ${sourceVersion}: npm run release -- --set VERSION`);
  return problems;
}

export function changelog(): string {
  return readFileSync(join(workspace, 'CHANGELOG.md'), 'utf8');
}
