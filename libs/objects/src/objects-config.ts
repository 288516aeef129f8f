import {
  encryptedHttp,
  flag,
  httpUrl,
  integer,
  oneOf,
  Secret,
  secretText,
  Setting,
  StatefulConfig,
  text,
  togetherWith,
  type Rule,
} from '@vaultsvc/config';
import type { DiskSettings } from './disk-objects.js';
import type { S3Settings } from './s3-client.js';

/** The settings of the one configured store. */
export type ObjectsSettings = { readonly disk: DiskSettings } | { readonly s3: S3Settings };

const oneStore: Rule<string> = (bucket, { OBJECTS_DIR }) =>
  (bucket === '') === (OBJECTS_DIR === '') ? 'or OBJECTS_DIR must be set, and not both' : undefined;

const regionOfBucket: Rule<string> = (region, { S3_BUCKET }) =>
  S3_BUCKET !== '' && region === '' ? 'is missing: S3_BUCKET is set' : undefined;

/** The settings of a service that stores objects: on a disk of its machine, or in a bucket. */
export class ObjectsConfig extends StatefulConfig {
  @Setting(text, 'Folder that objects are stored in; either this or S3_BUCKET.')
  OBJECTS_DIR = '';

  @Setting(flag, 'Whether objects in OBJECTS_DIR survive a power failure; false is for benchmarks.')
  OBJECTS_FSYNC = true;

  @Setting(text, 'Bucket that objects are stored in; either this or OBJECTS_DIR.', oneStore)
  S3_BUCKET = '';

  @Setting(text, 'Region of the bucket.', regionOfBucket)
  S3_REGION = '';

  @Setting(
    httpUrl,
    'Address of a store that is compatible with S3, or of a VPC endpoint; empty for AWS itself.',
    encryptedHttp,
  )
  S3_ENDPOINT = '';

  @Setting(flag, 'Whether the path of the URL contains the bucket, as most stores other than AWS require.')
  S3_PATH_STYLE = false;

  @Setting(
    text,
    "Credentials for the bucket; without them the SDK uses its default chain, such as the machine's role.",
  )
  S3_ACCESS_KEY_ID = '';

  @Setting(secretText, 'Secret of S3_ACCESS_KEY_ID.', togetherWith('S3_ACCESS_KEY_ID'))
  S3_SECRET_ACCESS_KEY: Secret = new Secret('');

  @Setting(
    oneOf('WHEN_REQUIRED', 'WHEN_SUPPORTED'),
    'WHEN_SUPPORTED makes AWS verify a checksum of every object; stores without support for it corrupt the objects.',
  )
  S3_CHECKSUMS: 'WHEN_REQUIRED' | 'WHEN_SUPPORTED' = 'WHEN_REQUIRED';

  @Setting(
    integer({ min: 100, max: 300_000 }),
    'Milliseconds to wait for a response of S3, or for progress of a transfer.',
  )
  S3_TIMEOUT_MS = 10_000;

  @Setting(
    integer({ min: 1, max: 100_000 }),
    'Connections to S3 of all reads of a process, two for each download, and again of all its other requests.',
  )
  S3_CONNECTIONS_MAX = 1_000;

  /** The settings of the store, of which `loadConfig` admits exactly one. */
  get objects(): ObjectsSettings {
    if (this.OBJECTS_DIR) return { disk: { dir: this.OBJECTS_DIR, fsync: this.OBJECTS_FSYNC } };
    return { s3: s3Of(this) };
  }
}

function s3Of(config: ObjectsConfig): S3Settings {
  const accessKeyId = config.S3_ACCESS_KEY_ID;
  return {
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    pathStyle: config.S3_PATH_STYLE,
    checksums: config.S3_CHECKSUMS,
    timeoutMs: config.S3_TIMEOUT_MS,
    connectionsMax: config.S3_CONNECTIONS_MAX,
    ...(config.S3_ENDPOINT && { endpoint: config.S3_ENDPOINT }),
    ...(accessKeyId && { credentials: { accessKeyId, secretAccessKey: config.S3_SECRET_ACCESS_KEY } }),
  };
}
