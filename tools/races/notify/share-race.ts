import type { Race } from '../race.js';
import { runShareRaces, type ShareFigure } from './share-races.js';

const SENDS = 3;
/** Mails wait for the rate of the mail server, too. */
const LIMIT_MS: Readonly<Partial<Record<ShareFigure['channel'], number>>> = { email: 3_000 };
const LIMIT_MS_DEFAULT = 2_000;

/**
 * `npm run races -- shares`: a tenant sends three times to 500 recipients by each channel, and another one a single message.
 * `--count` sets another number of recipients.
 */
export const shareRace: Race = {
  countDefault: 500,
  async run(recipients, onProgress) {
    const figures = await runShareRaces({ recipients, sends: SENDS, onProgress });
    const shown = figures.map(
      ({ channel, arrivedMs, ahead }) => `${channel} ${arrivedMs} ms (${ahead} ahead)`,
    );
    return {
      summary: `behind ${SENDS} sends to ${recipients} recipients, the message of another tenant arrives: ${shown.join(', ')}`,
      clean: figures.every(({ channel, arrivedMs }) => arrivedMs <= (LIMIT_MS[channel] ?? LIMIT_MS_DEFAULT)),
    };
  },
};
