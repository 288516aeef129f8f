import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

/** Imports within a package, by importing file or folder. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The cycle of files or of folders that an import closes, as a sentence; nothing for an import that closes none. Types count: who
 * reads one file of a cycle has to read all.
 * @param file relative to the workspace, with slashes
 * @param specifier as written in the import
 */
export function cycleViolation(file: string, specifier: string): string | undefined {
  const [source = ''] = /^(?:apps|libs)\/[^/]+\/src\//.exec(file) ?? [];
  const target = sourceOf(posix.join(posix.dirname(file), specifier));
  if (!source || !isCode(file) || !specifier.startsWith('.') || !target.startsWith(source)) return undefined;
  const { files, folders } = graphsOf(source);
  const [from, to] = [folderOf(source, file), folderOf(source, target)];
  const cycle =
    pathBetween(files, target, file) ?? (from === to ? undefined : pathBetween(folders, to, from));
  if (!cycle) return undefined;
  const names = cycle.map((path) => path.slice(source.length));
  return `This import closes the cycle ${[...names, names[0]].join(' → ')}: what they share belongs into a file that imports none of them.`;
}

const isCode = (file: string) => /\.tsx?$/.test(file) && !/\.(?:spec|e2e|d)\.ts$/.test(file);

/** The source of a path as written in an import. */
function sourceOf(path: string): string {
  const source = path.replace(/\.js$/, '.ts');
  return existsSync(join(workspace, `${source}x`)) ? `${source}x` : source;
}

const graphs: Map<string, { files: Graph; folders: Graph }> = new Map();

/** @param source of a package, `libs/http/src/` */
function graphsOf(source: string) {
  const known = graphs.get(source);
  if (known) return known;
  const files = new Map(
    readdirSync(join(workspace, source), { recursive: true, encoding: 'utf8' })
      .map((path) => posix.join(source, path.replaceAll('\\', '/')))
      .filter(isCode)
      .map((file) => [file, importsOf(file)]),
  );
  const folders: Map<string, Set<string>> = new Map();
  for (const [file, imports] of files) {
    const folder = folderOf(source, file);
    const all = folders.get(folder) ?? new Set();
    for (const path of imports) if (folderOf(source, path) !== folder) all.add(folderOf(source, path));
    folders.set(folder, all);
  }
  const made = { files, folders };
  graphs.set(source, made);
  return made;
}

const STATEMENT = /^(?:import|export)\b[^;'"]*?['"](\.[^'"]+)['"]/gm;
const EXPRESSION = /\bimport\(\s*['"](\.[^'"]+)['"]/g;

function importsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(join(workspace, file), 'utf8');
  const found = [...text.matchAll(STATEMENT), ...text.matchAll(EXPRESSION)].map(([, specifier = '']) =>
    sourceOf(posix.join(posix.dirname(file), specifier)),
  );
  return new Set(found.filter((path) => existsSync(join(workspace, path))));
}

/** The folder of a file; a file in the root of a package is one of its own. */
function folderOf(source: string, file: string) {
  const folder = posix.dirname(file);
  return `${folder}/` === source ? file : folder;
}

/** The shortest way of imports, both ends included. */
function pathBetween(graph: Graph, from: string, to: string): readonly string[] | undefined {
  const reachedFrom: Map<string, string | undefined> = new Map([[from, undefined]]);
  for (const node of reachedFrom.keys()) {
    if (node === to) return pathTo(node, reachedFrom);
    for (const next of graph.get(node) ?? []) if (!reachedFrom.has(next)) reachedFrom.set(next, node);
  }
  return undefined;
}

function pathTo(node: string, reachedFrom: ReadonlyMap<string, string | undefined>): readonly string[] {
  const before = reachedFrom.get(node);
  return before === undefined ? [node] : [...pathTo(before, reachedFrom), node];
}
