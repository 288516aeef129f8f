// npm run provision: makes the keys of the messages between services, the users of NATS and Redis, and the configuration of NATS.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readJson, writePrivateJson } from '../stack/private-files.ts';
import {
  administratorFiles,
  completeAccesses,
  redisSettings,
  redisUsersFile,
  type Accesses,
} from './administrators.ts';
import { completeKeys, keySettings, rotation, sharedSettings, shardsOf, type Keys } from './keys.ts';
import { natsConfig, type NatsRelease } from './nats-config.ts';
import { natsAuthorization } from './nats-users.ts';
import { readTopology } from './topology.ts';

const usage = `Usage: npm run provision -- --keys FILE --out FOLDER [--nats URLS] [--redis URL] [--rotation begin|switch|end]
                            [--shards NUMBERS]

Writes into FOLDER:
  <service>.env    the settings of each service: keys, and its addresses at NATS and Redis if these are given
  nats.conf        the configuration of NATS, which includes nats-users.conf
  nats-users.conf  the users of NATS: the services and an administrator
  redis.acl        the users of Redis (aclfile): the services and an administrator
  administrator/   the NKey of the administrator at NATS (nats.nk) and the password at Redis (redis-password)

FILE keeps all keys and passwords: store it encrypted, away from the services. A missing FILE is created; what a new release needs is
added. Run it again before each release whose deploy/topology.json has changed.

  --nats   tls://nats-0.example.com:4222,tls://nats-1.example.com:4222,…  the servers of a cluster, or one
  --nats-release 2.9  for servers of Debian 12: without sync_interval, which they refuse
  --redis  rediss://redis.example.com:6380
  --shards 0,1  all shards of accounts, 0 included: lets sparks and reporting receive their events at NATS. Those in FILE stay.

A rotation has three steps; deploy NATS and all services after each: begin, switch, end.

npm run provision -- installation --help is about everything of an installation on one machine.
npm run provision -- kms-keys --help is about the keys of KMS_PROVIDER=file.
npm run provision -- delete-stream --help is about the events after a restore.
`;

const options = {
  keys: { type: 'string' },
  out: { type: 'string' },
  nats: { type: 'string' },
  'nats-release': { type: 'string' },
  redis: { type: 'string' },
  rotation: { type: 'string' },
  shards: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

if (process.argv[2] === 'kms-keys') {
  // A bundle has it as a program of its own, and no compiler: bundlers do not follow a name that is computed.
  const { loadSource } = await import(new URL('../build/load-source.ts', import.meta.url).href);
  const { runKmsKeys } = await loadSource(new URL('./kms-keys.ts', import.meta.url), 'provision');
  process.exit(await runKmsKeys(process.argv.slice(3)));
}

// The image has them as programs of their own.
const others = ['installation', 'kubernetes', 'delete-stream'];
if (others.includes(process.argv[2] ?? '')) {
  const [name] = process.argv.splice(2, 1);
  await import(new URL(`./${name}.ts`, import.meta.url).href);
  process.exit();
}

try {
  const { values } = parseArgs({ options });
  process.stdout.write(values.help ? usage : provision(values));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${usage}`);
  process.exitCode = 1;
}

function provision({ keys: file, out: folder, nats, redis, ...others }: Options) {
  if (!file || !folder) throw new Error('--keys and --out are required.');
  const rotate = rotationOf(others.rotation);
  const release = releaseOf(others['nats-release']);
  const topology = readTopology();
  const stored = readJson<Keys & Partial<Accesses>>(file);
  const keys = rotate(completeKeys(topology, stored, shardsOf(others.shards)));
  const accesses = completeAccesses(stored);
  const administrator = join(folder, 'administrator');
  for (const path of [dirname(file), administrator]) mkdirSync(path, { recursive: true, mode: 0o700 });
  writePrivateJson(file, { ...keys, ...accesses });
  const services = Object.keys(topology);
  for (const service of services)
    write(
      folder,
      `${service}.env`,
      linesOf({
        ...keySettings(topology, keys, service),
        ...sharedSettings(keys, service),
        ...(nats && { NATS_URL: nats }),
        ...(redis && redisSettings(accesses, redis, service)),
      }),
    );
  const servers = (nats ?? 'tls://localhost:4222').split(',').map((server) => server.trim());
  write(folder, 'nats.conf', natsConfig({ servers, release }));
  const administrators = [{ nkey: accesses.natsAdministrator.publicKey }];
  write(folder, 'nats-users.conf', natsAuthorization(topology, keys, { others: administrators }));
  write(folder, 'redis.acl', redisUsersFile(accesses));
  for (const [name, content] of Object.entries(administratorFiles(accesses)))
    write(administrator, name, content);
  return `Keys in ${file}; settings of ${services.length} services, nats.conf, nats-users.conf, redis.acl and administrator in ${folder}\n`;
}

function rotationOf(step: string | undefined): (keys: Keys) => Keys {
  if (step === undefined) return (keys) => keys;
  const found = Object.entries(rotation).find(([name]) => name === step)?.[1];
  if (!found) throw new Error(`--rotation is begin, switch or end, not ${step}.`);
  return found;
}

function releaseOf(release = '2.10'): NatsRelease {
  if (release === '2.9' || release === '2.10') return release;
  throw new Error(`--nats-release is 2.9 or 2.10, not ${release}.`);
}

function linesOf(settings: Record<string, string>) {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function write(folder: string, name: string, content: string) {
  writeFileSync(join(folder, name), content, { mode: 0o600 });
}
