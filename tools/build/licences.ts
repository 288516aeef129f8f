import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The licences of the packages that a bundle contains, which their terms ask to hand on.
 * @param included the files in the bundle, relative to the workspace
 */
export function licencesOf(included: readonly string[]): string {
  const folders = included.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const unique = [...new Set(folders)].sort();
  return `This program contains these packages.\n\n${unique.map(licenceOf).join('\n')}`;
}

function licenceOf(folder: string) {
  const { name, version, license } = JSON.parse(
    readFileSync(join(workspace, folder, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license?: string };
  const file = readdirSync(join(workspace, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n${readFileSync(join(workspace, folder, file), 'utf8').trim()}\n`;
  return `## ${name} ${version}${license === undefined ? '' : ` (${license})`}\n${text}`;
}
