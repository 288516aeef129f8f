// npm run support-bundle: what a maintainer asks for first, of the local stack, as one archive without secrets.
// In a deployment each service writes its own: docker run … vaultsvc sparks support-bundle > sparks.tar.gz
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tarGz } from '../../libs/service/src/support-bundle/tar-gz.ts';
import { serviceEnvironment } from '../stack/environment.ts';
import { instancesOf, type Instance } from '../stack/instances.ts';
import { loadSecrets } from '../stack/secrets.ts';
import { workspace } from '../stack/settings.ts';
import { settingsOfStack } from '../stack/stack-mode.ts';

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 * 1_024 * 1_024;
/** Shorter texts among the secrets are names. */
const SECRET_CHARACTERS_MIN = 16;

/** The files of an instance, in a folder of its name: the program names the folder for its service. */
async function filesOf({ name, service, settings }: Instance): Promise<Record<string, string>> {
  const program = join(workspace, 'apps', service, 'dist/support-bundle.js');
  if (!existsSync(program)) throw new Error(`${service} is not built: npm run build`);
  const log = join(settings.paths.logs, `${name}.log`);
  const env = serviceEnvironment(service, settings, loadSecrets(settings.paths), process.env);
  const { stdout } = await run(process.execPath, [program, '--json', '--log', log], {
    env,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const files = JSON.parse(stdout) as Record<string, string>;
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path.replace(`${service}/`, `${name}/`), text]),
  );
}

/** All texts in the secrets of the stack, for lines of one service that hold a secret of another. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length < SECRET_CHARACTERS_MIN ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

async function main() {
  const settings = settingsOfStack(process.env);
  if (!existsSync(settings.paths.secrets)) throw new Error(`No stack has run in ${settings.paths.dir}.`);
  const parts = await Promise.all(instancesOf(settings).map(filesOf));
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
