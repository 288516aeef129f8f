import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../stack/settings.ts';

/** A line of docs/requirements.md: the id and the sentence. */
const line = /^- \*\*([A-Z]+[- ]\d+)\*\* (.+)$/gm;

/** @returns the sentence of each requirement by its id, in the order of the page */
export function requirements(): Map<string, string> {
  return new Map([...pageText().matchAll(line)].map(([, id = '', sentence = '']) => [id, sentence]));
}

function pageText() {
  return readFileSync(join(workspace, 'docs/requirements.md'), 'utf8');
}
