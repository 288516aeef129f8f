// npm run provision: makes the keys of the messages between services, and the users of NATS.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readJson, writePrivateJson } from '../stack/private-files.ts';
import { completeKeys, keySettings, rotation, type Keys } from './keys.ts';
import { natsAuthorization } from './nats-users.ts';
import { readTopology } from './topology.ts';

const usage = `Usage: npm run provision -- --keys FILE --out FOLDER [--rotation begin|switch|end]

Writes into FOLDER the settings of each service (<service>.env) and the users of NATS (nats-users.conf, to include in the
configuration of the server). FILE keeps all keys: store it encrypted, away from the services. A missing FILE is created;
keys that a new release needs are added. Run it again before each release whose deploy/topology.json has changed.

A rotation has three steps; deploy NATS and all services after each: begin, switch, end.

npm run provision -- kms-keys --help is about the keys of KMS_PROVIDER=file.
`;

function refuse(message: string) {
  process.stderr.write(`${message}\n\n${usage}`);
  process.exit(1);
}

if (process.argv[2] === 'kms-keys') {
  // A bundle has it as a program of its own, and no compiler: bundlers do not follow a name that is computed.
  const { loadSource } = await import(new URL('../build/load-source.ts', import.meta.url).href);
  const { runKmsKeys } = await loadSource(new URL('./kms-keys.ts', import.meta.url), 'provision');
  process.exit(await runKmsKeys(process.argv.slice(3)));
}

const { values } = parseArgs({
  options: {
    keys: { type: 'string' },
    out: { type: 'string' },
    rotation: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const { keys: file, out } = values;
if (!file || !out) refuse('--keys and --out are required.');
else provision(file, out, values.rotation);

function provision(file: string, folder: string, step: string | undefined) {
  const rotate =
    step === undefined ? undefined : Object.entries(rotation).find(([name]) => name === step)?.[1];
  if (step !== undefined && !rotate) return refuse(`--rotation is begin, switch or end, not ${step}.`);
  const topology = readTopology();
  const complete = completeKeys(topology, readJson<Keys>(file));
  const keys = rotate ? rotate(complete) : complete;
  for (const path of [folder, dirname(file)]) mkdirSync(path, { recursive: true, mode: 0o700 });
  writePrivateJson(file, keys);
  for (const service of Object.keys(topology)) {
    const lines = Object.entries(keySettings(topology, keys, service)).map(
      ([name, value]) => `${name}=${value}\n`,
    );
    writeFileSync(join(folder, `${service}.env`), lines.join(''), { mode: 0o600 });
  }
  writeFileSync(join(folder, 'nats-users.conf'), natsAuthorization(topology, keys), { mode: 0o600 });
  process.stdout.write(
    `Keys in ${file}; settings of ${Object.keys(topology).length} services and nats-users.conf in ${folder}\n`,
  );
}
