import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { requirements } from './requirements.ts';

const skippedFolders = new Set(['node_modules', 'dist', '.nx', '.cache', '.local', '.git', 'coverage']);

/** The spec of this check, whose citations lead nowhere on purpose. */
const ownSpec = 'tools/docs/citations.spec.ts';

/** The ids, pages and paths that may be cited. */
interface Known {
  /** Of requirements, `SPK-30` or `TRAP 14`. */
  ids: ReadonlySet<string>;
  /** Of these ids, `SPK`; other words of this form are no ids. */
  areas: ReadonlySet<string>;
  /** Numbers of ADRs. */
  decisions: ReadonlySet<number>;
  /** Whether the repository has this file or folder. */
  hasPath: (path: string) => boolean;
  /** Anchors of a Markdown page. */
  anchorsOf: (path: string) => ReadonlySet<string>;
}

/** Citations in a workspace that lead nowhere, each as `path:line: problem`. */
export function brokenCitations(workspace: string): string[] {
  const known = knownIn(workspace);
  return filesUnder(workspace, '')
    .filter((path) => path !== ownSpec)
    .flatMap((path) => brokenIn(path, readFileSync(join(workspace, path), 'utf8'), known));
}

/** @param path relative to the workspace */
export function brokenIn(path: string, text: string, known: Known): string[] {
  const isPage = path.endsWith('.md');
  return text.split('\n').flatMap((line, index) => {
    const broken = [
      ...unknownIds(line, known),
      ...unknownDecisions(line, known),
      ...(isPage ? brokenLinks(path, line, known) : unknownPages(path, line, known)),
    ];
    return broken.map((problem) => `${path}:${index + 1}: ${problem}`);
  });
}

function unknownIds(line: string, { ids, areas }: Known) {
  return [...line.matchAll(/\b([A-Z]{3,5})-\d+\b|\bTRAP \d+\b/g)]
    .filter(([id, area]) => !ids.has(id) && (area === undefined || areas.has(area)))
    .map(([id]) => `${id} is not in docs/requirements.md`);
}

function unknownDecisions(line: string, { decisions }: Known) {
  return [...line.matchAll(/\bADR (\d+)\b/g)]
    .filter(([, number]) => !decisions.has(Number(number)))
    .map(([cited]) => `${cited} is not in docs/adr`);
}

/** Pages that code names. A whole string such as 'notes.md' is data of a test and no citation, and `dist` is what a build makes. */
function unknownPages(path: string, line: string, { hasPath }: Known) {
  return [...line.matchAll(/(['"`]?)([\w./-]*\w\.md)\b(['"`]?)/g)]
    .filter(([, before, page, after]) => !(before && before === after && !page?.includes('/')))
    .map(([, , page = '']) => page)
    .filter((page) => !page.startsWith('dist/'))
    .filter((page) => !['', 'docs', dirname(path)].some((folder) => hasPath(posix.join(folder, page))))
    .map((page) => `${page} is not in the repository`);
}

/** Links of a page, and the paths of the repository that it names in backticks. */
function brokenLinks(path: string, line: string, { hasPath, anchorsOf }: Known) {
  const links = [...line.matchAll(/\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(
    ([, to = '', anchor]) => {
      const target = to === '' ? path : posix.join(dirname(path), to);
      if (!hasPath(target)) return [`${target} is not in the repository`];
      if (anchor && target.endsWith('.md') && !anchorsOf(target).has(anchor))
        return [`${target} has no #${anchor}`];
      return [];
    },
  );
  const paths = [...line.matchAll(/`((?:apps|libs|tools|docs|docker|deploy)\/[\w./-]+)`/g)]
    .map(([, named = '']) => named)
    .filter((named) => !hasPath(named))
    .map((named) => `${named} is not in the repository`);
  return [...links, ...paths];
}

function knownIn(workspace: string): Known {
  const adrs = readdirSync(join(workspace, 'docs/adr')).map((name) => Number(name.slice(0, 4)));
  const pages: Map<string, ReadonlySet<string>> = new Map();
  const ids = [...requirements().keys()];
  return {
    ids: new Set(ids),
    areas: new Set(ids.map((id) => id.split(/[- ]/, 1).join(''))),
    decisions: new Set(adrs),
    hasPath: (path) => existsSync(join(workspace, path)),
    anchorsOf: (path) => {
      const found = pages.get(path) ?? anchorsIn(readFileSync(join(workspace, path), 'utf8'));
      pages.set(path, found);
      return found;
    },
  };
}

/** The anchors that GitHub gives to the headings of a page. */
export function anchorsIn(text: string) {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

/**
 * @param folder relative to the workspace, empty for its root
 * @returns source files and pages
 */
function filesUnder(workspace: string, folder: string): string[] {
  return readdirSync(join(workspace, folder), { withFileTypes: true })
    .filter(({ name }) => !skippedFolders.has(name))
    .map((entry) => ({ entry, path: posix.join(folder, entry.name) }))
    .flatMap(({ entry, path }) => (entry.isDirectory() ? filesUnder(workspace, path) : [path]))
    .filter((path) => /\.(ts|mjs|md|yml|css|html)$/.test(path) || basename(path).startsWith('Dockerfile'));
}
