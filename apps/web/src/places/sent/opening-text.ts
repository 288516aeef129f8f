import { sentTexts as texts } from '../../texts/sent.js';
import type { Opening } from './sent-facts.js';

/** By whom something was opened, as exactly as it is known. */
export function openingText({ opened_by: { kind, name }, verified_by: identity }: Opening): string {
  if (identity) return texts.openedBy(identity);
  if (name) return texts.openedByName(name);
  if (kind === 'visitor') return texts.openedByAnybody;
  return kind === 'app' ? texts.openedByApp : texts.openedByRemoved;
}
