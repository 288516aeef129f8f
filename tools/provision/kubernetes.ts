// provision kubernetes: the jobs of the chart that write Secrets. They run in a pod, with its service account.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { provisionCluster } from './kubernetes-keys.ts';
import { shardsOf } from './keys.ts';
import { KubernetesSecrets } from './kubernetes-secrets.ts';
import { readTopology } from './topology.ts';

const usage = `Usage: provision kubernetes --name NAME [--shards 0,1]
       provision kubernetes --secret NAME --file FILE

The first form makes the keys of an installation in the Secrets NAME-<service>-keys, NAME-nats and NAME-provision, and keeps those that
are there, and the shards of accounts that an earlier run was given. The second one puts the members of a JSON object of texts into a Secret. NODE_EXTRA_CA_CERTS names the authority of the cluster.
`;

/** Mounted into each pod that has a token. */
const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

function clusterSecrets() {
  const read = (name: string) => readFileSync(join(accountFolder, name), 'utf8').trim();
  const origin = 'https://kubernetes.default.svc';
  return new KubernetesSecrets({ origin, token: read('token'), namespace: read('namespace') });
}

type Values = { name?: string; shards?: string; secret?: string; file?: string };

async function run({ name, shards, secret, file }: Values) {
  if (name !== undefined) {
    const made = await provisionCluster(clusterSecrets(), readTopology(), name, shardsOf(shards));
    process.stdout.write(`Secrets: ${made.join(', ')}\n`);
  } else if (secret !== undefined && file !== undefined) {
    await clusterSecrets().apply(secret, JSON.parse(readFileSync(file, 'utf8')));
    process.stdout.write(`Secret: ${secret}\n`);
  } else {
    process.stderr.write(usage);
    process.exitCode = 2;
  }
}

try {
  const text = { type: 'string' } as const;
  await run(parseArgs({ options: { name: text, shards: text, secret: text, file: text } }).values);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
