import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { element } from '../../page-client/elements.js';
import { plainName } from './format.js';

/** The sentence that names the organization which shared the content, if its account allows that. */
export function sharedBy({ shared_by: name }: LinkContent): Node[] {
  if (!name) return [];
  return [element('p', { class: 'sharer' }, 'Shared by ', element('bdi', {}, plainName(name)))];
}
