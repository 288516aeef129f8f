import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

/** The compiler settings of everything but the scripts of browsers, and those of each page. */
const everything = 'tsconfig.flat.json';
const pages = [
  'apps/gateway/src/page-client/tsconfig.json',
  'apps/gateway/src/link-page/client/tsconfig.json',
  'apps/gateway/src/console/client/tsconfig.json',
  'apps/gateway/src/reference/client/tsconfig.json',
  'apps/gateway/src/panel/client/tsconfig.json',
  'apps/gateway/src/unsubscribe/client/tsconfig.json',
];
/** The compiler settings of the `.client.ts` files beside tools and tests, which browsers run. */
const browserScripts = 'tsconfig.browser.json';
const ofBrowsers = [...pages, browserScripts];

/**
 * The files that a command line of ESLint names, as paths of the workspace.
 * @returns undefined where it names folders, patterns or nothing
 */
export function filesToLint(args: readonly string[]): string[] | undefined {
  const paths = args.filter((arg) => !arg.startsWith('-')).map((arg) => resolve(arg));
  const areFiles = paths.length > 0 && paths.every((path) => existsSync(path) && statSync(path).isFile());
  return areFiles ? paths.map((path) => relative(workspace, path).replaceAll(sep, '/')) : undefined;
}

/**
 * The projects of rules that use types. For single files a project of these files and their imports: the compiler needs 14 s
 * to read all.
 * @returns tsconfig files
 */
export function typedProjects(files: readonly string[] | undefined): string[] {
  const sources = files?.filter((file) => file.endsWith('.ts') && !browserProjectOf(file));
  if (!files || !sources) return [everything, ...ofBrowsers];
  const used = ofBrowsers.filter((project) => files.some((file) => browserProjectOf(file) === project));
  return [...(sources.length > 0 ? [projectOf(sources)] : []), ...used];
}

const browserProjectOf = (file: string) =>
  file.endsWith('.client.ts')
    ? browserScripts
    : pages.find((page) => file.startsWith(page.replace('tsconfig.json', '')));

/** Writes a project, which is removed when this process exits. */
function projectOf(sources: readonly string[]) {
  const path = join(workspace, `.cache/tsconfig-lint-${process.pid}.json`);
  const files = sources.map((file) => join(workspace, file));
  mkdirSync(join(workspace, '.cache'), { recursive: true });
  writeFileSync(path, JSON.stringify({ extends: join(workspace, everything), include: [], files }));
  process.on('exit', () => rmSync(path, { force: true }));
  return path;
}
