// npm run provision -- installation: the secrets of a whole installation on one machine, for compose.yaml, or without containers.
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readJson, writePrivateJson } from '../stack/private-files.ts';
import { openAuthority, type Authority } from './installation/certificates.ts';
import {
  allSettings,
  hostConfigurations,
  ownerSettingsOfAll,
  type HostOptions,
} from './installation/host-files.ts';
import { containers, oneHost, type Owner, type Places } from './installation/places.ts';
import { completeSecrets, type InstallationSecrets } from './installation/secrets.ts';
import { serverFiles, type Files, type ServerName } from './installation/servers.ts';
import { ownerSettings, secretSettings } from './installation/service-settings.ts';
import { statefulServices } from './installation/services.ts';
import { readTopology, type Topology } from './topology.ts';

const usage = `Usage: provision installation --out FOLDER [--domain NAME [--user NAME] [--nats-release 2.9]]

Writes into FOLDER all keys, passwords and certificates of an installation on one machine, with a folder for each service and server
that holds its own alone. It keeps what is there, adds what a new release needs, and renews the certificates of servers.
Run as root it gives each folder to its user.

Without --domain it is for compose.yaml. With it, for programs without containers (deploy/one-machine.md): servers on localhost, their
configurations, and all.env and owner.env, the settings of the process of all services and of its migrations.

  --domain        api.NAME, forge.NAME, link.NAME and files.NAME are the names of the platform
  --user          of the services; vaultsvc by default
  --nats-release  2.9 for Debian 12, whose NATS refuses sync_interval
`;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    domain: { type: 'string' },
    user: { type: 'string', default: 'vaultsvc' },
    'nats-release': { type: 'string', default: '2.10' },
    help: { type: 'boolean', short: 'h' },
  },
});

const { out, domain, user } = values;
const natsRelease = values['nats-release'];
if (out === undefined || (natsRelease !== '2.9' && natsRelease !== '2.10')) {
  process.stderr.write(usage);
  process.exitCode = values.help ? 0 : 2;
} else
  try {
    await provision(resolve(out), domain === undefined ? undefined : { domain, natsRelease });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }

async function provision(folder: string, host: Omit<HostOptions, 'folder'> | undefined) {
  const places = host ? oneHost(user) : containers;
  const topology = readTopology();
  // Users of servers and services pass through it to their own folders.
  if (host) mkdirSync(folder, { recursive: true, mode: 0o711 });
  const state = join(folder, 'installation');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const file = join(state, 'secrets.json');
  const secrets = completeSecrets(topology, readJson<InstallationSecrets>(file));
  writePrivateJson(file, secrets);
  const authority = await openAuthority(state);
  const configurations = host ? hostConfigurations({ ...host, folder }) : {};
  const all = Object.entries(await serverFiles(topology, secrets)) as [ServerName, Files][];
  // Without containers there is neither an object store nor a mail catcher.
  for (const [name, files] of all.filter(([server]) => !host || configurations[server]))
    await writeServer(join(folder, name), name, { ...files, ...configurations[name] }, authority, places);
  const settings = writeServices(folder, topology, secrets, authority, places);
  if (host) writeHost({ ...host, folder }, settings, statefulServices(topology), places);
  process.stdout.write(
    `Secrets of ${Object.keys(topology).length} services and their servers in ${folder}\n`,
  );
}

/** @returns the names of the secret settings, by service */
function writeServices(
  folder: string,
  topology: Topology,
  secrets: InstallationSecrets,
  { certificate }: Authority,
  places: Places,
): Record<string, string[]> {
  const ca = { 'ca.crt': certificate };
  const names = Object.keys(topology).map((service) => {
    const settings = secretSettings(topology, secrets, service, places);
    writeFolder(join(folder, service), { ...ca, ...settings }, places.serviceUser);
    return [service, Object.keys(settings)] as const;
  });
  for (const service of statefulServices(topology)) {
    const files = { ...ca, ...ownerSettings(secrets, service, places) };
    writeFolder(join(folder, `${service}-owner`), files, places.serviceUser);
  }
  return Object.fromEntries(names);
}

async function writeServer(
  path: string,
  name: ServerName,
  files: Files,
  authority: Authority,
  places: Places,
) {
  const names = new Set([places.hostOf(name), 'localhost', '127.0.0.1']);
  const { key, certificate } = await authority.issue([...names]);
  writeFolder(
    path,
    { ...files, 'ca.crt': authority.certificate, 'server.crt': certificate, 'server.key': key },
    places.userOf(name),
  );
}

/** Settings, and the folders of data and objects, which volumes are in containers. */
function writeHost(
  options: HostOptions,
  settings: Readonly<Record<string, readonly string[]>>,
  stateful: readonly string[],
  places: Places,
) {
  const { folder } = options;
  // Objects are in folders.
  const secrets = Object.entries(settings).map(
    ([service, names]) => [service, names.filter((name) => !name.startsWith('S3_'))] as const,
  );
  const files = {
    'all.env': allSettings(options, Object.fromEntries(secrets)),
    'owner.env': ownerSettingsOfAll(options, stateful),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  for (const server of ['postgres', 'redis', 'nats'] as const)
    writeFolder(join(folder, server, 'data'), {}, places.userOf(server));
  for (const name of ['objects', 'objects/files', 'objects/audit-log', 'kms'])
    writeFolder(join(folder, name), {}, places.serviceUser);
}

/** Another user may not even list the folder. */
function writeFolder(path: string, files: Files, owner: Owner) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files)) {
    const file = join(path, name);
    writeFileSync(file, text, { mode: 0o600 });
    chmodSync(file, 0o600);
    give(file, owner);
  }
  give(path, owner);
}

function give(path: string, { uid, gid }: Owner) {
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
}
