import { event } from '../core/event.js';
import { EpochSeconds, Flag, IdOf, Int, OneOf, Pattern, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** A version: one content of an ingot, from the moment its upload is opened. */
export class VersionRef {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ max: 40 }) version_id: string;
}

const SEALED_HASH = /^[0-9a-f]{258}$/;

/** The hash of a version, sealed under its file key (ADR 44); null, or absent from older instances: it has none. */
export const SealedHash = () =>
  Pattern(SEALED_HASH, {
    max: 258,
    optional: true,
    nullable: true,
    says: '129 bytes in hexadecimal',
    description: 'The hash of the content, sealed under the file key.',
  });

/** Body of `activateVersion`. */
export class FinishedVersion extends VersionRef {
  @Int({ min: 1, description: 'Received bytes, which may be fewer than were announced.' })
  size_bytes: number;
  @SealedHash() sealed_hash?: string | null;
}

/** Whether a version became the content of its ingot. */
export class VersionActivation {
  @Flag({ description: 'false: the version was superseded or deleted; its bytes must be deleted.' })
  is_active: boolean;
}

/** Makes a completed upload the content of its ingot. Idempotent. */
export const activateVersion = operation({
  name: 'vaults.activate-version',
  summary: 'Makes the content of a completed upload the current content of its ingot.',
  access: 'internal',
  callers: ['forge'],
  body: FinishedVersion,
  reply: VersionActivation,
  repeatable: true,
});

/** A version and its bytes. */
export class SizedVersion extends VersionRef {
  @Int({ min: 1 }) size_bytes: number;
}

/** Payload of `versionReleased`. */
export class VersionRelease extends SizedVersion {
  @OneOf(['replaced', 'deleted'], {
    description: 'replaced: downloads that were issued before continue; deleted: they end.',
  })
  reason: 'replaced' | 'deleted';
  @EpochSeconds({
    nullable: true,
    description: 'When the last one-time link of this version expires; null: it has none.',
  })
  kept_until: number | null;
}

/** An upload was opened: its storage reservation is confirmed. */
export const versionOpened = event({
  name: 'vaults.version-opened',
  payload: SizedVersion,
  consumers: ['reporting'],
});
/** The version is complete and current; it uses `size_bytes` of storage from now on. */
export const versionActivated = event({
  name: 'vaults.version-activated',
  payload: SizedVersion,
  consumers: ['reporting'],
});
/** The version will never be current: superseded, cancelled, expired, or its ingot deleted. */
export const versionDropped = event({
  name: 'vaults.version-dropped',
  payload: VersionRef,
  consumers: ['forge', 'reporting'],
});
/** The version was current and is so no longer. */
export const versionReleased = event({
  name: 'vaults.version-released',
  payload: VersionRelease,
  consumers: ['forge', 'reporting'],
});
