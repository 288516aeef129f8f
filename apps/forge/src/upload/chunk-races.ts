import { Injectable } from '@nestjs/common';

/** The requests that are at one place of one upload at the same time. */
export interface ChunkRace {
  /** Whether one of them has all its bytes and is being counted, or was. */
  isDecided: boolean;
}

/**
 * Who lost a race is not told the same as who was wrong from the start (FRG-08, FRG-13). Where a chunk is short, the
 * winner may be counted before the others have looked at the row, and the row alone does not say which they are. Of
 * requests that come through other copies of the service it alone decides: who reads it late is wrong (AMB-26).
 */
@Injectable()
export class ChunkRaces {
  readonly #races = new Map<string, ChunkRace & { runners: number }>();

  /** Runs the work of one request that wants to write at this offset. */
  async join<T>(lookup: Buffer, offset: number, work: (race: ChunkRace) => Promise<T>): Promise<T> {
    const place = `${lookup.toString('base64url')} ${offset}`;
    const race = this.#races.get(place) ?? { runners: 0, isDecided: false };
    this.#races.set(place, race);
    race.runners += 1;
    try {
      return await work(race);
    } finally {
      race.runners -= 1;
      if (race.runners === 0) this.#races.delete(place);
    }
  }
}
