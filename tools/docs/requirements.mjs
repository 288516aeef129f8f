import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../stack/settings.mjs';

/** @returns {Map<string, string>} the sentence of each requirement by its id, in the order of docs/requirements.md */
export function requirements() {
  const text = readFileSync(join(workspace, 'docs/requirements.md'), 'utf8');
  return new Map(
    [...text.matchAll(/^- \*\*([A-Z]+[- ]\d+)\*\* (.+)$/gm)].map(([, id = '', line = '']) => [id, line]),
  );
}

/** @returns {Map<string, string>} the title of each area by its prefix, as in SPK: Sparks */
export function areas() {
  const text = readFileSync(join(workspace, 'docs/requirements.md'), 'utf8');
  return new Map(
    [...text.matchAll(/^## ([A-Z]+): (.+)$/gm)].map(([, area = '', title = '']) => [area, title]),
  );
}
