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

/** The headings of the sections whose commands read the `stack.json` of a local stack. */
export function localSectionsOf(page: string): string[] {
  const sections = readFileSync(join(workspace, page), 'utf8').split(/^(?=#{1,3} )/m);
  const isLocal = (section: string) => /^```sh\n(?:(?!```)[^])*stack\.json/m.test(section);
  return sections.filter(isLocal).map((section) => section.split('\n', 1).join());
}

/** The blocks of commands on a page. */
export const commandsOf = (page: string) => blocksOf(page, 'sh');

/**
 * The scripts on a page that its commands use, by the name of their file, which their first line tells. The TypeScript of the
 * quickstart is one script, in the file that the page names.
 */
export function scriptsOf(page: string): Map<string, string> {
  const scripts = blocksOf(page, 'js').flatMap((text): [string, string][] => {
    const [, name] = /^\/\/ ([\w-]+\.mjs):/.exec(text) ?? [];
    return name ? [[name, text]] : [];
  });
  const steps = page === 'docs/quickstart.md' ? blocksOf(page, 'ts') : [];
  return new Map([...scripts, ...(steps.length > 0 ? [['quickstart.mjs', steps.join('\n')] as const] : [])]);
}
