import { Injectable } from '@nestjs/common';

/** Timeouts of uploads; tests shorten them. */
@Injectable()
export class UploadTimeouts {
  /** A client that sends less than this on average is disconnected. At this rate 50 MiB take 53 minutes. */
  chunkBytesPerSecondMin = 16 * 1_024;
  /** The period of that average, without the time in which the store was waited for. */
  chunkWindowMs = 30_000;
  /** How long reading an offset is retried while PostgreSQL is down (ADR 9). */
  offsetTimeoutMs = 20_000;
  /**
   * Deadline of the call that activates a version in vaults; afterwards the event does it. It is reached only while vaults is
   * slow: a call to a service that is down fails at once.
   */
  activationTimeoutMs = 8_000;
}
