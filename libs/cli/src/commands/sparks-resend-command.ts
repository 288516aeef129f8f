import type { Command } from '../command-line/command.js';
import { UsageError } from '../failures.js';

/** `vaultsvc sparks resend` */
export const sparksResendCommand: Command = {
  name: 'sparks resend',
  summary: 'Sends the invitation to the link of a Spark again.',
  arguments: [{ name: 'spark', summary: 'The id of a Spark, spk_….', field: 'spark_id' }],
  notes: [
    'The link is the same, and so is the one who can open it; codes can be requested and entered again after too many wrong ones.',
  ],
  examples: [['The mail was lost', 'vaultsvc sparks resend spk_Zk4mQ9vT2xW7rB1nLs8YpA']],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const spark_id = invocation.argument('spark');
    if (!/^spk_[\w-]+$/.test(spark_id))
      throw new UsageError('Give the id of a Spark, spk_…. vaultsvc sparks list shows them.');
    const params = { path: { spark_id } };
    const { data } = await api.client().POST('/v1/sparks/{spark_id}/share/resend', { params });
    output.result(data, '');
    output.note('The invitation is sent again.');
  },
};
