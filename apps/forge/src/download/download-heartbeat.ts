import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { ByteMeter } from './byte-meter.js';
import type { Istk } from '../istk/istk.js';

/** Times of downloads, in one place for tests to shorten. */
@Injectable()
export class DownloadTimeouts {
  /** A reader that takes nothing for so long is cut off. */
  stallMs = 60_000;
  /** How often a download says that it runs; a slow one learns here that its ISTK was revoked. */
  heartbeatMs = 30_000;
  /** Without a database for so long, a download ends: after it, nobody could know that it runs. */
  heartbeatTimeoutMs = 110_000;
}

/** Keeps the row of a download alive while it runs. Gives the function that ends this. */
export function startHeartbeat(
  steps: ByteMeter,
  istk: Istk,
  { heartbeatMs: beatMs, heartbeatTimeoutMs: silenceMsMax }: DownloadTimeouts,
  onEnd: (reason: unknown) => void,
): () => void {
  let lastBeatMs = performance.now();
  const beat = async () => {
    try {
      await steps.heartbeat(istk);
      lastBeatMs = performance.now();
    } catch (error) {
      if (error instanceof AppError || performance.now() - lastBeatMs > silenceMsMax) onEnd(error);
    }
  };
  const timer = setInterval(() => void beat(), beatMs);
  timer.unref();
  return () => clearInterval(timer);
}
