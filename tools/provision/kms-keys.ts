import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseCommandLine, UsageError } from '@vaultsvc/config/commands';
import {
  newKeys,
  openKeysFile,
  passphraseOf,
  retired,
  rotated,
  sealKeysFile,
  writeKeysFile,
  type NamedVersions,
} from '@vaultsvc/crypto/kms/file';

const USAGE = `Usage: npm run provision -- kms-keys --file FILE --passphrase-file FILE [--key NAME …] [--rotate | --retire]

Makes the keys of KMS_PROVIDER=file. The file is sealed by the passphrase; a missing passphrase file is made with 256 random
bits. Keys that the file lacks are added: vk-root and vk-system, or those named. Both files have mode 0600, and must belong to the
user of the services.

  --rotate  adds a version to each key, which wraps from now on; older ones go on unwrapping
  --retire  removes all versions but the newest. Run the programs rewrap of all services before: what an older version has
            wrapped can never be opened again.

Keep a copy of both files, apart from the backups of the databases: nothing that is stored opens without them.
`;

const DEFAULT_KEYS = ['vk-root', 'vk-system'];

/** Returns the exit code. */
export async function runKmsKeys(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args);
    if (options) await changeKeysFile(options);
    else process.stdout.write(USAGE);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

interface Options {
  readonly file: string;
  readonly passphraseFile: string;
  readonly names: readonly string[];
  readonly rotate: boolean;
  readonly retire: boolean;
}

/** Undefined for the help. */
function readOptions(args: readonly string[]): Options | undefined {
  const options = {
    file: { type: 'string' },
    'passphrase-file': { type: 'string' },
    key: { type: 'string', multiple: true },
    rotate: { type: 'boolean', default: false },
    retire: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false, short: 'h' },
  } as const;
  const { values } = parseCommandLine({ args: [...args], options }, USAGE);
  const { help, file, key, rotate, retire, 'passphrase-file': passphraseFile } = values;
  if (help) return undefined;
  if (!file || !passphraseFile) throw new UsageError('--file and --passphrase-file are required.', USAGE);
  if (rotate && retire) throw new UsageError('--rotate and --retire exclude each other.', USAGE);
  return { file, passphraseFile, names: key ?? DEFAULT_KEYS, rotate, retire };
}

async function changeKeysFile({ file, passphraseFile, names, rotate, retire }: Options): Promise<void> {
  const passphrase = passphraseIn(passphraseFile, existsSync(file));
  const known = existsSync(file) ? await openKeysFile(readFileSync(file, 'utf8'), passphrase) : {};
  const keys = changed(known, names, { rotate, retire });
  if (keys !== known) await writeKeysFile(file, await sealKeysFile(keys, passphrase));
  passphrase.fill(0);
  const counts = Object.entries(keys).map(([name, versions]) => `${name} (versions: ${versions.length})`);
  process.stdout.write(`${file}: ${counts.join(', ')}\n`);
}

function changed(
  known: NamedVersions,
  names: readonly string[],
  { rotate, retire }: Pick<Options, 'rotate' | 'retire'>,
): NamedVersions {
  if (retire) return retired(known);
  const missing = names.filter((name) => !(name in known));
  if (!rotate && missing.length === 0) return known;
  return { ...(rotate ? rotated(known) : known), ...newKeys(missing) };
}

/** Only new keys get a new passphrase: another one than theirs would open none of those that are there. */
function passphraseIn(path: string, hasKeys: boolean): Buffer {
  if (!hasKeys && !existsSync(path))
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  return passphraseOf(readFileSync(path));
}
