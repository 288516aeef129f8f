import type { Race } from '../race.js';
import { runNotificationRaces, type NotificationRaceReport } from './notification-races.js';

const RECIPIENTS = 100;
const KILLS_PER_SEND = 1 / 4;
const SHOWN_MAX = 20;

/** `npm run races -- notifications`: each send has 100 recipients, each of whom gets a message by three channels. */
export const notificationRace: Race = {
  countDefault: 100,
  async run(sends, reportProgress, seed) {
    const kills = Math.ceil(sends * KILLS_PER_SEND);
    const report = await runNotificationRaces({
      sends,
      recipients: RECIPIENTS,
      kills,
      seed,
      onProgress: reportProgress,
    });
    const summary = `seed ${seed}, ${sends} sends of ${RECIPIENTS}: ${summaryOfNotifications(report)}`;
    return { summary, clean: report.deviations.length === 0 };
  },
};

/** The outcome in one line. */
export function summaryOfNotifications({
  messages,
  repeats,
  kills,
  deviations,
}: NotificationRaceReport): string {
  const killed = Object.entries(kills).map(([name, times]) => `${times} ${name}`);
  return (
    `${messages} messages, ${repeats} repeated with the same delivery id; kills: ${killed.join(', ') || 'none'}; ` +
    [`${deviations.length} deviations`, ...deviations.slice(0, SHOWN_MAX)].join('; ')
  );
}
