import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { workspace } from '../stack/settings.ts';
import { archiveOf } from './archive.ts';
import { changelogProblems, changelogSection, isNewer, releasedChangelog } from './changelog.ts';
import { checksumsFile, writeChecksums } from './checksums.ts';
import { workspaceProblems } from './problems.ts';
import { hasHistory, isCommit, readReleases } from './releases.ts';
import { sbomOf } from './sbom.ts';
import { differingVersions, setVersion } from './workspace-version.ts';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'vaultsvc-release-'));
});
afterEach(() => rmSync(scratch, { recursive: true }));

describe('this workspace', () => {
  it('has one version, a changelog in the form of Keep a Changelog, and releases that are commits', () => {
    expect(workspaceProblems()).toEqual([]);
  });

  it('names the commit of each release, from the oldest to the newest', () => {
    const releases = readReleases();
    expect(releases.length).toBeGreaterThan(0);
    for (const [i, release] of releases.entries()) {
      expect(release).toEqual({
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      });
      const before = releases[i - 1];
      if (before)
        expect([release.version, isNewer(release.version, before.version)]).toEqual([release.version, true]);
      if (hasHistory()) expect([release.version, isCommit(release.commit)]).toEqual([release.version, true]);
    }
  });
});

describe('a version', () => {
  function copy() {
    for (const path of [
      'package.json',
      'package-lock.json',
      'libs/cli/src/version.ts',
      'libs/cli/package.json',
    ]) {
      mkdirSync(join(scratch, path, '..'), { recursive: true });
      cpSync(join(workspace, path), join(scratch, path));
    }
    const root = JSON.parse(readFileSync(join(scratch, 'package.json'), 'utf8'));
    writeFileSync(join(scratch, 'package.json'), JSON.stringify({ ...root, workspaces: ['libs/*'] }));
  }

  it('is set in every package, the lock file and the command line, and in no package of others', () => {
    copy();
    setVersion('12.34.56', scratch);
    const json = (path: string) => JSON.parse(readFileSync(join(scratch, path), 'utf8'));
    expect([json('package.json').version, json('libs/cli/package.json').version]).toEqual([
      '12.34.56',
      '12.34.56',
    ]);
    const { packages } = json('package-lock.json');
    expect([packages[''].version, packages['libs/cli'].version]).toEqual(['12.34.56', '12.34.56']);
    expect(packages['node_modules/pg'].version).not.toBe('12.34.56');
    expect(readFileSync(join(scratch, 'libs/cli/src/version.ts'), 'utf8')).toContain("'12.34.56'");
    expect(differingVersions(scratch)).toEqual([]);
  });

  it('is found where a package has another one', () => {
    copy();
    const path = join(scratch, 'libs/cli/package.json');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version: '9.9.9' }));
    expect(differingVersions(scratch)).toEqual(['libs/cli/package.json']);
    expect(() => setVersion('1.2', scratch)).toThrow(/no version/);
  });
});

describe('the changelog', () => {
  const text =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- x\n\n## [0.2.0] - 2026-11-27\n\n### Fixed\n\n- y\n';

  it('names what departs from the form', () => {
    expect(changelogProblems(text)).toEqual([]);
    expect(changelogProblems(text.replace('## [0.2.0] - 2026-11-27', '## 0.2.0'))).toEqual([
      '"## 0.2.0" is not "## [version] - date"',
    ]);
    expect(changelogProblems(text.replace('### Fixed', '### Repaired'))).toEqual([
      '"### Repaired" is none of Added, Changed, Deprecated, Removed, Fixed, Security',
    ]);
    expect(changelogProblems(`${text}\n## [0.10.0] - 2026-12-27\n`)).toEqual([
      'releases do not stand from the newest to the oldest',
    ]);
  });

  it('makes what is not released the section of a version, which are the notes of the release', () => {
    const released = releasedChangelog(text, '0.3.0', '2026-12-01');
    expect(changelogProblems(released)).toEqual([]);
    expect(changelogSection(released, 'Unreleased')).toBe('');
    expect(changelogSection(released, '0.3.0')).toBe('### Added\n\n- x');
    expect(changelogSection(released, '0.2.0')).toBe('### Fixed\n\n- y');
    expect(changelogSection(released, '0.9.0')).toBeUndefined();
  });
});

describe('the files of a release', () => {
  it('have a bill of materials that is valid CycloneDX 1.6, with purl, licence, hash and programs', () => {
    const integrity = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;
    const packages = [
      { name: '@x/one', version: '1.0.0', license: 'MIT', integrity, programs: ['sparks', 'vaults'] },
      {
        name: 'two',
        version: '2.0.0',
        license: '(MIT OR Apache-2.0)',
        integrity: undefined,
        programs: ['cli'],
      },
      { name: 'three', version: '3.0.0', license: 'Own licence', integrity: undefined, programs: ['cli'] },
    ];
    const text = sbomOf({ version: '1.2.3', commit: 'a'.repeat(40) }, packages);
    const bom = JSON.parse(text);
    const folder = join(workspace, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
    const schema = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}`);
    const validate = ajv.compile(schema('bom-1.6.SNAPSHOT.schema.json'));
    validate(bom);
    expect(validate.errors).toBeNull();
    expect(bom.metadata.component).toMatchObject({ name: 'vaultsvc', version: '1.2.3' });
    expect(bom.components.find(({ name }: { name: string }) => name === 'one')).toMatchObject({
      group: '@x',
      version: '1.0.0',
      purl: 'pkg:npm/%40x/one@1.0.0',
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: '07'.repeat(64) }],
      properties: [
        { name: 'vaultsvc:program', value: 'sparks' },
        { name: 'vaultsvc:program', value: 'vaults' },
      ],
    });
    expect(sbomOf({ version: '1.2.3', commit: 'a'.repeat(40) }, packages.toReversed())).toBe(text);
  });

  it('have checksums that sha256sum verifies', () => {
    writeFileSync(join(scratch, 'one.tgz'), 'one');
    writeFileSync(join(scratch, 'two.txt'), 'two');
    writeChecksums(scratch);
    const check = () =>
      spawnSync('sha256sum', ['--check', '--strict', checksumsFile], { cwd: scratch, encoding: 'utf8' });
    expect(check().stdout).toBe('one.tgz: OK\ntwo.txt: OK\n');
    writeFileSync(join(scratch, 'two.txt'), 'other');
    expect(check().status).not.toBe(0);
  });

  it('have archives with the same bytes for the same files', () => {
    writeFileSync(join(scratch, 'b'), 'b', { mode: 0o600 });
    writeFileSync(join(scratch, 'a'), 'a');
    const first = archiveOf(scratch, ['b', 'a'], 'x-1');
    rmSync(join(scratch, 'a'));
    writeFileSync(join(scratch, 'a'), 'a', { mode: 0o664 });
    expect(archiveOf(scratch, ['a', 'b'], 'x-1').equals(first)).toBe(true);
    const listed = spawnSync('tar', ['-tzf', '-'], { input: first, encoding: 'utf8' }).stdout;
    expect(listed).toBe('x-1/a\nx-1/b\n');
  });
});

describe('the workflow of a release', () => {
  const text = readFileSync(join(workspace, '.github/workflows/release.yml'), 'utf8');
  const workflow = parse(text);
  const stepsOf = (job: string): { uses?: string; run?: string; with?: Record<string, unknown> }[] =>
    workflow.jobs[job].steps;
  const runs = (job: string) => stepsOf(job).flatMap(({ run }) => run ?? []);

  it('says that it has not run', () => {
    expect(text.slice(0, 400)).toMatch(/^# .*\n# .*It has not run yet/m);
  });

  it('runs .ci/run first, and publishes after it', () => {
    expect(Object.keys(workflow.jobs)).toEqual(['test', 'files', 'image']);
    expect(runs('test')).toEqual(['.ci/run']);
    for (const job of ['files', 'image']) expect(workflow.jobs[job].needs).toBe('test');
  });

  it('publishes images of two architectures with provenance and bill of materials, and signs them without a key', () => {
    const build = stepsOf('image').find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    expect(build?.with).toMatchObject({
      file: 'docker/Dockerfile',
      platforms: 'linux/amd64,linux/arm64',
      push: true,
      sbom: true,
      provenance: 'mode=max',
    });
    expect(build?.with?.['build-args']).toContain('VAULTSVC_REVISION=${{ github.sha }}');
    expect(runs('image').at(-1)).toMatch(
      /^cosign sign --yes --recursive "\$IMAGE@\$\{\{ steps\.build\.outputs\.digest \}\}"$/,
    );
    expect(runs('files')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^npm run release -- --check/)]),
    );
  });

  it('gives each job only the rights that it needs', () => {
    expect(workflow.permissions).toEqual({});
    expect(
      Object.values<{ permissions: object }>(workflow.jobs).map(({ permissions }) => permissions),
    ).toEqual([
      { contents: 'read' },
      { contents: 'write', 'id-token': 'write' },
      { contents: 'read', 'id-token': 'write', packages: 'write' },
    ]);
    for (const checkout of Object.keys(workflow.jobs)
      .flatMap(stepsOf)
      .filter(({ uses }) => uses?.includes('checkout')))
      expect(checkout.with).toMatchObject({ 'persist-credentials': false });
  });
});
