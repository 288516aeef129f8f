import type { Command } from '../command-line/command.js';
import { UsageError } from '../failures.js';
import { confirmed, yesOption } from './confirmation.js';

/** `vaultsvc sparks burn` */
export const sparksBurnCommand: Command = {
  name: 'sparks burn',
  summary: 'Deletes Sparks that nobody has read, and their links.',
  arguments: [{ name: 'spark', summary: 'Ids of Sparks, spk_….', isRepeated: true, field: 'spark_id' }],
  options: yesOption,
  notes: ['The content is gone for good. For a Spark that was read already the command succeeds, too.'],
  examples: [['A link that went to the wrong person', 'vaultsvc sparks burn spk_Zk4mQ9vT2xW7rB1nLs8YpA']],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const ids = invocation.argumentList('spark');
    if (!ids.every((id) => /^spk_[\w-]+$/.test(id)))
      throw new UsageError('Give ids of Sparks, spk_…. vaultsvc sparks list shows them.');
    const client = api.client();
    await confirmed(invocation, ids.length === 1 ? `Burn ${ids[0]}?` : `Burn ${ids.length} Sparks?`);
    for (const spark_id of ids)
      await client.DELETE('/v1/sparks/{spark_id}', { params: { path: { spark_id } } });
    output.result({ burned: ids }, '');
    output.note(ids.length === 1 ? 'The Spark is burned.' : `${ids.length} Sparks are burned.`);
  },
};
