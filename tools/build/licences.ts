import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../stack/settings.ts';
import { packageFolders, readPackage } from './bundled-packages.ts';

/**
 * The licences of the packages that a bundle contains, which their terms ask to hand on.
 * @param included the files in the bundle, or their packages, relative to the workspace
 */
export function licencesOf(included: readonly string[]): string {
  return `This program contains these packages.\n\n${packageFolders(included).map(licenceOf).join('\n')}`;
}

function licenceOf(folder: string) {
  const { name, version, license } = readPackage(folder);
  const file = readdirSync(join(workspace, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n${readFileSync(join(workspace, folder, file), 'utf8').trim()}\n`;
  return `## ${name} ${version}${license === undefined ? '' : ` (${license})`}\n${text}`;
}
