// npm run support-bundle: what a maintainer asks for first, of the local stack, as one archive without secrets.
// In a deployment each service writes its own: docker run … vaultsvc sparks support-bundle > sparks.tar.gz
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tarGz } from '../../libs/service/src/support-bundle/tar-gz.ts';
import { serviceEnvironment } from '../stack/environment.ts';
import { loadSecrets } from '../stack/secrets.ts';
import { readSettings, services, workspace, type Settings } from '../stack/settings.ts';

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 * 1_024 * 1_024;
/** Shorter texts among the secrets are names. */
const SECRET_CHARACTERS_MIN = 16;

async function filesOf(service: string, settings: Settings): Promise<Record<string, string>> {
  const program = join(workspace, 'apps', service, 'dist/support-bundle.js');
  if (!existsSync(program)) throw new Error(`${service} is not built: npm run build`);
  const log = join(settings.paths.logs, `${service}.log`);
  const env = serviceEnvironment(service, settings, loadSecrets(settings.paths), process.env);
  const { stdout } = await run(process.execPath, [program, '--json', '--log', log], {
    env,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  return JSON.parse(stdout) as Record<string, string>;
}

/** All texts in the secrets of the stack, for lines of one service that hold a secret of another. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length < SECRET_CHARACTERS_MIN ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

async function main() {
  const settings = readSettings(process.env, []);
  if (!existsSync(settings.paths.secrets)) throw new Error(`No stack has run in ${settings.paths.dir}.`);
  const parts = await Promise.all(services.map((service) => filesOf(service, settings)));
  const secrets = textsIn(loadSecrets(settings.paths));
  const redact = (text: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
  const files = Object.entries(Object.assign({}, ...parts) as Record<string, string>);
  const archive = tarGz(Object.fromEntries(files.map(([name, text]) => [name, redact(text)])));
  const path = `vaultsvc-support-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`;
  writeFileSync(path, archive, { mode: 0o600 });
  process.stdout.write(`${path}: ${files.length} files, without secrets. Look at it before you send it.\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
