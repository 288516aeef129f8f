const NAME = 'vaultsvc_events_altered_total';
const COUNT = new RegExp(`^${NAME}\\S* (\\d+)$`, 'gm');

/**
 * The events that instances of reporting have received again with another content than the ledger has, since they started.
 * @param urls of their private ports
 * @throws when an instance has no such metric
 */
export async function countAlteredEvents(urls: readonly string[]): Promise<number> {
  const metrics = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  if (!metrics.every((text) => text.includes(`# TYPE ${NAME} counter`)))
    throw new Error(`${NAME} is missing`);
  return [...metrics.join('\n').matchAll(COUNT)].reduce((sum, [, count]) => sum + Number(count), 0);
}
