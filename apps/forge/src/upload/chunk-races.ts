import { Injectable } from '@nestjs/common';

/** The concurrent requests for one offset of one upload. */
export interface ChunkRace {
  /** Whether one of them has stored its chunk, and is being committed or was. */
  isDecided: boolean;
}

/**
 * Distinguishes the losers of a race (409) from requests with a wrong offset (400; FRG-08, FRG-13). The row alone cannot:
 * a short chunk may be committed before the other requests have read it. Requests to other instances are not tracked, so
 * one that reads the row after the commit is answered 400 (AMB-26).
 */
@Injectable()
export class ChunkRaces {
  readonly #races = new Map<string, ChunkRace & { requests: number }>();

  /** Runs the work of a request for this offset. */
  async join<T>(lookup: Buffer, offset: number, work: (race: ChunkRace) => Promise<T>): Promise<T> {
    const key = `${lookup.toString('base64url')} ${offset}`;
    const race = this.#races.get(key) ?? { requests: 0, isDecided: false };
    this.#races.set(key, race);
    race.requests += 1;
    try {
      return await work(race);
    } finally {
      race.requests -= 1;
      if (race.requests === 0) this.#races.delete(key);
    }
  }
}
