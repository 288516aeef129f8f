import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspace } from '../stack/settings.ts';

/** How near a spec is to a file: one that is named for it first, then those that import it, then by the folders that they share. */
export function nearness(spec: string, path: string): number {
  return (
    common(spec, path) +
    (isNamedFor(spec, path) ? 20 : 0) +
    (importsOf(spec).has(path) ? 10 : 0) +
    (doesImportImporter(spec, path) ? 5 : 0)
  );
}

/** Whether a spec is named for a file, imports it, or imports what imports it. */
export function isAbout(spec: string, path: string): boolean {
  return isNamedFor(spec, path) || importsOf(spec).has(path) || doesImportImporter(spec, path);
}

/** `burn-spark.handler.ts` has `burn-spark.spec.ts` or `burn-spark.handler.spec.ts`. */
function isNamedFor(spec: string, path: string): boolean {
  const base = path.replace(/(?:\.(?:handler|repository|controller|job|consumer))?\.ts$/, '');
  return spec.startsWith(`${base}.`);
}

/** How many folders two paths share; a contract is near to the service of its folder. */
function common(spec: string, path: string): number {
  const folders = (of: string) => dirname(of.replace(/^libs\/contracts\/src\//, 'apps/')).split('/');
  const [a, b] = [
    folders(spec).filter((name) => name !== 'src'),
    folders(path).filter((name) => name !== 'src'),
  ];
  const different = a.findIndex((name, i) => name !== b[i]);
  return different < 0 ? a.length : different;
}

const imports = new Map<string, ReadonlySet<string>>();

/** The files of the same service that a file imports. */
function importsOf(path: string): ReadonlySet<string> {
  let known = imports.get(path);
  if (!known) {
    const text = existsSync(join(workspace, path)) ? readFileSync(join(workspace, path), 'utf8') : '';
    const relative = [...text.matchAll(/from '(\.[^']+)\.js'/g)].map(([, name = '']) => `${name}.ts`);
    known = new Set(relative.map((name) => join(dirname(path), name)));
    imports.set(path, known);
  }
  return known;
}

/** A job or handler that a spec runs stands between it and a repository. */
function doesImportImporter(spec: string, path: string): boolean {
  return [...importsOf(spec)].some((between) => !isWiring(between) && importsOf(between).has(path));
}

/** Modules and what tests share import everything. */
function isWiring(path: string): boolean {
  return /\/testing\/|\.module\.ts$|service-definition\.ts$/.test(path);
}
