import { operations } from '@vaultsvc/contracts/catalog';
import { Violation } from './answer.js';
import { CallResolver, paramsOf } from './call-resolver.js';
import { pathNamesOf } from './contract-names.js';
import type { Sequence } from './sequence.js';

/** Resources that only their own DELETE ends, or that of their vault. */
const LASTING: ReadonlySet<string> = new Set(['vault_id', 'folder_id', 'ingot_id']);
const READS_MAX = 3;

const reads = operations.filter(
  (op) =>
    op.http.method === 'GET' && op.http.path.endsWith('}') && LASTING.has(pathNamesOf(op).at(-1)?.name ?? ''),
);

/** Throws when something that lasts is answered as unknown: another account or another call has ended it. */
export async function assertPresent(sequence: Sequence): Promise<void> {
  const resolver = new CallResolver(sequence);
  for (const owner of ['A', 'B'] as const)
    for (const op of reads) {
      const names = pathNamesOf(op).map(({ name }) => name);
      const places = sequence.known.find(owner, names).map((record) => paramsOf(op, record));
      const different = [...new Map(places.map((params) => [JSON.stringify(params), params])).values()];
      for (const params of different.slice(0, READS_MAX)) {
        const vat = op.access.vat && (await resolver.token(owner, params['vault_id'] ?? ''));
        const answer = await sequence.send({
          owner,
          via: 'http',
          credential: 'key',
          op,
          parts: { params },
          vat,
        });
        if (answer.status === 404)
          throw new Violation(`${op.name} answers ${answer.reason} for a resource that nobody has deleted`);
      }
    }
}
