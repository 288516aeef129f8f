// Processor time of dispatching a call through Nest, compared with the bare method. No message is sent.
import { parseArgs } from 'node:util';
import { loadSource } from '../../build/load-source.mjs';
import { median, table } from '../report.mjs';

/** `npm run bench -- dispatch`. `args`: the arguments after the name. */
export async function benchDispatch(args) {
  const { values } = parseArgs({
    args,
    options: { count: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '15' } },
  });
  const { dispatches } = await loadSource(new URL('./handlers.ts', import.meta.url), 'bench');
  const forms = [...(await dispatches())];
  const times = new Map(forms.map(([name]) => [name, []]));
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [name, dispatch] of forms)
      times.get(name).push(await nanoseconds(dispatch, Number(values.count)));
  const bare = median(times.get(forms[0][0]));
  table(
    `Dispatch of a call, median of ${values.rounds} rounds of ${values.count} calls`,
    ['', 'ns', 'more than the bare method'],
    [...times].map(([name, all]) => [name, median(all).toFixed(0), (median(all) - bare).toFixed(0)]),
  );
}

/** Processor time of a call; calls follow one another. */
async function nanoseconds(dispatch, count) {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) await dispatch();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / count;
}
