// npm run provision -- installation: the secrets of a whole installation on one machine, for compose.yaml.
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readJson, writePrivateJson } from '../stack/private-files.ts';
import { openAuthority, type Authority } from './installation/certificates.ts';
import { completeSecrets, type InstallationSecrets } from './installation/secrets.ts';
import { serverFiles, servers, type Files, type ServerName } from './installation/servers.ts';
import { ownerSettings, secretSettings } from './installation/service-settings.ts';
import { statefulServices } from './installation/services.ts';
import { readTopology } from './topology.ts';

const usage = `Usage: provision installation --out FOLDER

Writes into FOLDER all keys, passwords and certificates of an installation on one machine, with a folder for each service and server
that holds its own alone. It keeps what is there, adds what a new release needs, and renews the certificates of servers.
Run as root it gives each folder to the user of its container.
`;

/** The user of the image (docker/Dockerfile). */
const SERVICE_UID = 1000;

const { values } = parseArgs({ options: { out: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
if (values.out === undefined) {
  process.stderr.write(usage);
  process.exitCode = values.help ? 0 : 2;
} else await provisionInstallation(values.out);

async function provisionInstallation(folder: string) {
  const topology = readTopology();
  const state = join(folder, 'installation');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const file = join(state, 'secrets.json');
  const secrets = completeSecrets(topology, readJson<InstallationSecrets>(file));
  writePrivateJson(file, secrets);
  const authority = await openAuthority(state);
  for (const [name, files] of Object.entries(await serverFiles(topology, secrets)))
    await writeServer(join(folder, name), name as ServerName, files, authority);
  const ca = { 'ca.crt': authority.certificate };
  for (const service of Object.keys(topology))
    writeFolder(join(folder, service), { ...ca, ...secretSettings(topology, secrets, service) }, SERVICE_UID);
  for (const service of statefulServices(topology))
    writeFolder(join(folder, `${service}-owner`), { ...ca, ...ownerSettings(secrets, service) }, SERVICE_UID);
  process.stdout.write(
    `Secrets of ${Object.keys(topology).length} services and their servers in ${folder}\n`,
  );
}

async function writeServer(path: string, name: ServerName, files: Files, authority: Authority) {
  const { host, uid } = servers[name];
  const { key, certificate } = await authority.issue([host, 'localhost', '127.0.0.1']);
  writeFolder(
    path,
    { ...files, 'ca.crt': authority.certificate, 'server.crt': certificate, 'server.key': key },
    uid,
  );
}

/** Another user may not even list the folder. */
function writeFolder(path: string, files: Files, uid: number) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files)) {
    const file = join(path, name);
    writeFileSync(file, text, { mode: 0o600 });
    chmodSync(file, 0o600);
    give(file, uid);
  }
  give(path, uid);
}

function give(path: string, uid: number) {
  if (process.getuid?.() === 0) chownSync(path, uid, uid);
}
