// The measured times, compared with the sum of their bare parts.
import { median, table } from '../report.mjs';
import { figures, processorTime, sum } from '../rows.mjs';

/** NATS calls of one request: the check of the VAT, the operation, and for a retrieval the creation of Sparks. */
const HOPS = { write: 2, retrieve: 3 };

export function report({ whole, reads, limits, parts, bodyBytes, keys, bytes }) {
  const { ciphers, sql, json } = parts;
  const network = (hops) => limits.http.p50 + hops * limits.nats.p50;
  const row = (name, run, cipher, query, text, hops) => {
    const floor = cipher + query + text + network(hops);
    const cells = [run.p50, cipher, query, text, network(hops), floor, run.p50 / floor];
    return [name, ...cells.map((cell) => cell.toFixed(2)), run.errors];
  };
  const merged = mergedOf(reads);
  table(
    `${keys} keys of ${bytes} bytes, a body of ${bodyBytes} bytes: p50 of one caller, in milliseconds, and its bare parts`,
    ['', 'vaultsvc', 'ciphers', 'SQL', 'JSON', 'network', 'parts', 'vaultsvc / parts', 'errors'],
    [
      row('POST, new', whole.create, ciphers.write, sql.write, json.write, HOPS.write),
      row('POST, overwriting', whole.overwrite, ciphers.write, sql.write, json.write, HOPS.write),
      row('GET names', whole.names, ciphers.names, sql.names, json.names, HOPS.write),
      row('PATCH of 1 key', whole.patchOne, ciphers.writeOne, sql.writeOne, 0, HOPS.write),
      row('PATCH of all keys', whole.patchAll, ciphers.write, sql.write, json.write, HOPS.write),
      row('GET of 1 value', merged.one, ciphers.single, sql.single, 0, HOPS.retrieve),
      row('GET of 100 values', merged.hundred, ciphers.hundred, sql.hundred, 0, HOPS.retrieve),
    ],
  );
  table(
    'Retrievals, median of rounds',
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors', 'processor µs'],
    [
      ['1 key, 1 caller', ...figures(merged.one), ''],
      ['100 keys, 1 caller', ...figures(merged.hundred), ''],
      ['1 key, 32 callers', ...figures(merged.oneMany), sum(merged.oneMany.cpu).toFixed(0)],
      ['100 keys, 32 callers', ...figures(merged.hundredMany), sum(merged.hundredMany.cpu).toFixed(0)],
    ],
  );
  ratios(reads);
  processorTime('Processor time of one retrieval of 1 key', merged.oneMany.cpu);
  processorTime('Processor time of one retrieval of 100 keys', merged.hundredMany.cpu);
}

/** One call of 100 keys divided by one, ten and a hundred calls of one key. Below 1 it is cheaper. */
function ratios(reads) {
  const cost = {
    'wall time, 1 caller': ({ one, hundred }) => hundred.mean / one.mean,
    'by requests/s, 32 callers': ({ oneMany, hundredMany }) => oneMany.perSecond / hundredMany.perSecond,
    'processor time, 32 callers': ({ oneMany, hundredMany }) => sum(hundredMany.cpu) / sum(oneMany.cpu),
  };
  table(
    'One retrieval of 100 keys divided by',
    ['', 'one of 1', 'ten of 1', 'a hundred of 1'],
    Object.entries(cost).map(([name, of]) => {
      const ratio = median(reads.map(of));
      return [name, ratio.toFixed(2), (ratio / 10).toFixed(3), (ratio / 100).toFixed(4)];
    }),
  );
}

/** For each kind, the run whose rate is the median of the rounds. */
function mergedOf(reads) {
  const kinds = ['one', 'hundred', 'oneMany', 'hundredMany'];
  return Object.fromEntries(
    kinds.map((kind) => {
      const runs = reads.map((round) => round[kind]);
      const rate = median(runs.map(({ perSecond }) => perSecond));
      return [kind, runs.find(({ perSecond }) => perSecond === rate)];
    }),
  );
}
