import { Injectable } from '@nestjs/common';

/** How long is waited for others. Specs wait less. */
@Injectable()
export class UploadTimeouts {
  /** Whoever sends less than this on average is cut off: 50 MiB then take 53 minutes at most. */
  chunkBytesPerSecondMin = 16 * 1_024;
  /** The time that is averaged over, without that in which the store was waited for. */
  chunkWindowMs = 30_000;
  /** For PostgreSQL, before the offset of an upload is given up on (ADR 9). */
  offsetTimeoutMs = 20_000;
  /** For vaults, before a finished upload is left to its event. */
  activationTimeoutMs = 2_000;
}
