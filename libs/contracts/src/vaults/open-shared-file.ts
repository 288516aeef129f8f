import { Flag, IdOf, Int, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** A link that sparks has verified. `link_code` opens the wrap of a one-time link; null: a durable share. */
export class SharedFileQuestion {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ max: 36 }) link_id: string;
  @Text({ max: 64, nullable: true }) link_code: string | null;
  @Flag({ description: 'Only name and size; no URL is made.' }) describe: boolean;
}

export class SharedFile {
  @Text({ max: 255 }) name: string;
  @Int({ min: 1 }) size_bytes: number;
  @Text({ max: 255 }) content_type: string;
  @Text({ max: 2_048, nullable: true, description: 'Gives the content once; null in a description.' })
  download_url: string | null;
}

/**
 * Makes the URL of a shared file. Who does not hand it out undoes it: nobody else has it. LINK_REVOKED when the wrap is
 * gone, LINK_SUSPENDED while public file sharing is off, QUOTA_EXCEEDED when the owner's bandwidth is.
 */
export const openSharedFile = operation({
  name: 'vaults.open-shared-file',
  summary: 'Describes a shared file, or gives a URL for its content.',
  access: 'internal',
  body: SharedFileQuestion,
  reply: SharedFile,
  errors: ['LINK_REVOKED', 'LINK_SUSPENDED', 'INGOT_NOT_READY'],
});

export class EndedLink {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ max: 36 }) link_id: string;
}

export class LinkEnded {}

/** Shreds what a link could open, and ends the downloads that were given out through it. */
export const endLink = operation({
  name: 'vaults.end-link',
  summary: 'Shreds the key that a link of an ingot could open.',
  access: 'internal',
  body: EndedLink,
  reply: LinkEnded,
  repeatable: true,
});
