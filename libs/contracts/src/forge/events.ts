import { event } from '../core/event.js';
import { Int, OneOf } from '../core/fields.js';
import { VersionFact } from '../vaults/ingot-events.js';
import { VersionRef } from '../vaults/version.js';

export class UploadEnd extends VersionRef {
  @Int({ min: 0, description: 'Bytes of whole chunks that were received: a partial transfer.' })
  received_bytes: number;
  @OneOf(['cancelled', 'expired', 'dropped'], {
    description: 'By its uploader, by time, or because nobody waits for it any more.',
  })
  reason: 'cancelled' | 'expired' | 'dropped';
}

export class Sending extends VersionRef {
  @Int({ min: 0 }) bytes: number;
  @Int({ min: 0, description: '1 with the first bytes that an ISTK has sent.' }) downloads: number;
}

/** All bytes are stored and sealed; `size_bytes` is what was received. Bandwidth is drawn by it. */
export const uploadFinalized = event({
  name: 'forge.upload-finalized',
  payload: VersionFact,
  consumers: ['vaults', 'reporting'],
});

/** An upload that will never be whole. What it received draws bandwidth all the same (FRG-16). */
export const uploadEnded = event({
  name: 'forge.upload-ended',
  payload: UploadEnd,
  consumers: ['vaults', 'reporting'],
});

/** Bytes that downloads were sent since the last such event of the same ISTK. */
export const bytesSent = event({
  name: 'forge.bytes-sent',
  payload: Sending,
  consumers: ['vaults', 'reporting'],
});
