/** The kinds of changes of Keep a Changelog 1.1.0. Behind a colon may follow for whom: `Changed: for operators`. */
const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

const RELEASE = /^## \[(?<version>\d+\.\d+\.\d+)\] - (?<date>\d{4}-\d\d-\d\d)$/;

/** What departs from the form of Keep a Changelog, one sentence each. */
export function changelogProblems(text: string): string[] {
  const headings = text.split('\n').filter((line) => /^##? /.test(line));
  const problems = headings[0] === '# Changelog' ? [] : ['the first heading is not "# Changelog"'];
  const [unreleased, ...releases] = headings.slice(1);
  if (unreleased !== '## [Unreleased]') problems.push('the first section is not "## [Unreleased]"');
  const malformed = releases.filter((heading) => !RELEASE.test(heading));
  problems.push(...malformed.map((heading) => `"${heading}" is not "## [version] - date"`));
  const versions = releases.flatMap((heading) => RELEASE.exec(heading)?.groups?.version ?? []);
  if (versions.some((version, i) => i > 0 && !isNewer(versions[i - 1] ?? '', version)))
    problems.push('releases do not stand from the newest to the oldest');
  const kinds = text.split('\n').filter((line) => line.startsWith('### '));
  const unknown = kinds.filter((line) => !KINDS.includes(line.slice(4).split(':')[0] ?? ''));
  return [...problems, ...unknown.map((line) => `"${line}" is none of ${KINDS.join(', ')}`)];
}

/** Whether version `one` is newer than `other`, by SemVer for versions of releases. */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number));
  const position = [0, 1, 2].find((i) => a?.[i] !== b?.[i]);
  return position !== undefined && (a?.[position] ?? 0) > (b?.[position] ?? 0);
}

/** The text of a version, or of what is not released, without its heading. */
export function changelogSection(text: string, version: string): string | undefined {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => line.startsWith(`## [${version}]`));
  if (begin < 0) return undefined;
  const length = lines.slice(begin + 1).findIndex((line) => line.startsWith('## '));
  return lines
    .slice(begin + 1, length < 0 ? undefined : begin + 1 + length)
    .join('\n')
    .trim();
}

/**
 * Makes what is not released the section of a version.
 * @param date of the release, YYYY-MM-DD
 */
export function releasedChangelog(text: string, version: string, date: string): string {
  return text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`);
}
