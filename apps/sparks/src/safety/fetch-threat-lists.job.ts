import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { UrlSafety } from './url-safety.js';

const SECONDS_MIN = 60;
const SECONDS_MAX = 3_600;
const SECONDS_DEFAULT = 1_800;

/** Updates the lists of Web Risk in every instance, as often as Web Risk recommends. */
@Injectable()
export class FetchThreatLists implements OnModuleDestroy {
  /** The delay until the next run, set by the last one. */
  everySeconds = SECONDS_MAX;
  #failures = 0;

  constructor(private readonly safety: UrlSafety) {}

  async run(): Promise<void> {
    if (!this.safety.webRisk) return;
    try {
      const nextAtMs = await this.safety.webRisk.update();
      this.#failures = 0;
      this.everySeconds = secondsUntil(nextAtMs);
    } catch {
      // WebRisk has logged the failure. Exponential backoff with jitter, so that instances do not retry all at once.
      this.#failures += 1;
      this.everySeconds =
        Math.min(SECONDS_MIN * 2 ** (this.#failures - 1), SECONDS_MAX) * (1 + Math.random());
    }
  }

  onModuleDestroy(): void {
    this.safety.webRisk?.close();
  }
}

function secondsUntil(atMs: number | undefined): number {
  if (atMs === undefined) return SECONDS_DEFAULT;
  return Math.min(Math.max((atMs - Date.now()) / 1_000, SECONDS_MIN), SECONDS_MAX);
}
