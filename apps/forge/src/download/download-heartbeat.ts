import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { ByteMeter, MeteredDownload } from './byte-meter.js';

/** Timeouts of downloads; tests shorten them. */
@Injectable()
export class DownloadTimeouts {
  /** A client that reads nothing for this long is disconnected. */
  stallMs = 60_000;
  /** Interval of heartbeats; a slow download notices here that its ISTK was revoked or has expired. */
  heartbeatMs = 30_000;
  /** A download ends this long after its last heartbeat, before SettleAbandonedDownloads settles it at 2 minutes. */
  heartbeatTimeoutMs = 110_000;
}

/**
 * Renews the lease of a running download. Calls `onFailure` when the ISTK is revoked or expired, or at the timeout while
 * the database is down. Returns the function that stops it.
 */
export function startHeartbeat(
  meter: ByteMeter,
  download: MeteredDownload,
  { heartbeatMs, heartbeatTimeoutMs }: DownloadTimeouts,
  onFailure: (reason: unknown) => void,
): () => void {
  let lastBeatMs = performance.now();
  const beat = async () => {
    try {
      await meter.count(download, 0);
      lastBeatMs = performance.now();
    } catch (error) {
      if (error instanceof AppError || performance.now() - lastBeatMs > heartbeatTimeoutMs) onFailure(error);
    }
  };
  const timer = setInterval(() => void beat(), heartbeatMs);
  timer.unref();
  return () => clearInterval(timer);
}
