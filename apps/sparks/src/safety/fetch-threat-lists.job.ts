import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { UrlSafety } from './url-safety.js';

const SECONDS_MIN = 60;
const SECONDS_MAX = 3_600;
const SECONDS_UNSAID = 1_800;

/** Keeps the lists of Web Risk: in every copy of the service, from its start on, as often as Web Risk recommends. */
@Injectable()
export class FetchThreatLists implements OnModuleDestroy {
  /** Until the next run, as the last one found it. */
  everySeconds = SECONDS_MAX;
  #failures = 0;

  constructor(private readonly sources: UrlSafety) {}

  async run(): Promise<void> {
    if (!this.sources.webRisk) return;
    try {
      const nextAtMs = await this.sources.webRisk.update();
      this.#failures = 0;
      this.everySeconds = secondsUntil(nextAtMs);
    } catch {
      // Told by whoever failed. Longer every time, and by chance, so that copies do not come back all at once.
      this.#failures += 1;
      this.everySeconds =
        Math.min(SECONDS_MIN * 2 ** (this.#failures - 1), SECONDS_MAX) * (1 + Math.random());
    }
  }

  onModuleDestroy(): void {
    this.sources.webRisk?.close();
  }
}

function secondsUntil(atMs: number | undefined): number {
  if (atMs === undefined) return SECONDS_UNSAID;
  return Math.min(Math.max((atMs - Date.now()) / 1_000, SECONDS_MIN), SECONDS_MAX);
}
