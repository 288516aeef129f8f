import type { Schema } from '@vaultsvc/client';

/** A creator in a table: the name, or else the id; a dash if the API does not know it. */
export function creatorText(creator: Schema<'ActorSummary'> | undefined): string {
  return creator?.name ?? creator?.id ?? '-';
}
