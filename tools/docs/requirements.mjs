import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../stack/settings.mjs';

/** A line of docs/requirements.md: the id, linked to its guarantees where there are any, and the sentence. */
const line = /^- \*\*\[?([A-Z]+[- ]\d+)(?:\]\([^)]*\))?\*\* (.+)$/gm;

/** @returns {Map<string, string>} the sentence of each requirement by its id, in the order of the page */
export function requirements() {
  return new Map([...pageText().matchAll(line)].map(([, id = '', sentence = '']) => [id, sentence]));
}

/** @returns {Map<string, string>} the title of each area by its prefix, as in SPK: Sparks */
export function areas() {
  return new Map(
    [...pageText().matchAll(/^## ([A-Z]+): (.+)$/gm)].map(([, area = '', title = '']) => [area, title]),
  );
}

/**
 * @param {ReadonlySet<string>} proven ids that guarantees.md has
 * @returns {string} docs/requirements.md with a link from each of them to its guarantees
 */
export function linkedRequirements(proven) {
  return pageText().replaceAll(line, (_, /** @type {string} */ id, /** @type {string} */ sentence) => {
    const anchor = id.toLowerCase().replace(' ', '-');
    return `- **${proven.has(id) ? `[${id}](guarantees.md#${anchor})` : id}** ${sentence}`;
  });
}

function pageText() {
  return readFileSync(join(workspace, 'docs/requirements.md'), 'utf8');
}
