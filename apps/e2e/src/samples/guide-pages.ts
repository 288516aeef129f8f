import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const workspace = fileURLToPath(new URL('../../../../', import.meta.url));

/** The pages that may have commands: the README, and the guides. */
export const pages = [
  'README.md',
  ...readdirSync(join(workspace, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const blocksOf = (page: string, language: string) =>
  [...readFileSync(join(workspace, page), 'utf8').matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text);

/** The blocks of commands on a page. */
export const commandsOf = (page: string) => blocksOf(page, 'sh');

/** The scripts on a page that its commands use, by the name of their file, which their first line tells. */
export function scriptsOf(page: string): Map<string, string> {
  const scripts = blocksOf(page, 'js').flatMap((text): [string, string][] => {
    const [, name] = /^\/\/ ([\w-]+\.mjs):/.exec(text) ?? [];
    return name ? [[name, text]] : [];
  });
  return new Map(scripts);
}
