import { Secret, type Parser, type Rule } from '@vaultsvc/config';
import { readMembers, type Members } from './sink-members.js';

/** The settings that every sink has. */
interface CommonSettings {
  /** The name of the sink, by which its cursor is kept. */
  readonly name: string;
  /** The entry that a new sink begins with: the first one of each chain, or the next one after its creation. */
  readonly from: 'beginning' | 'now';
  /** Milliseconds until an attempt to send a batch fails. */
  readonly timeoutMs: number;
}

/** A bucket that receives an object of JSON Lines for each batch. */
export interface S3SinkSettings extends CommonSettings {
  readonly kind: 's3';
  readonly bucket: string;
  readonly region: string;
  /** The first part of all keys, without a slash at its end. */
  readonly prefix: string;
  /** A server other than that of AWS for the region. */
  readonly endpoint: string | undefined;
  readonly pathStyle: boolean;
  /** As S3_CHECKSUMS. A bucket of AWS with Object Lock accepts objects with a checksum only. */
  readonly checksums: 'WHEN_REQUIRED' | 'WHEN_SUPPORTED';
  /** Without them the SDK uses its default chain. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: Secret } | undefined;
}

/** A server that receives each batch as the body of a POST. */
export interface HttpSinkSettings extends CommonSettings {
  readonly kind: 'http';
  /** A secret, because the address of a collector may contain its token. */
  readonly url: Secret<URL>;
  /** The Authorization header. */
  readonly authorization: Secret | undefined;
  /** Whether the server may have a private address. */
  readonly allowsPrivate: boolean;
}

export type SinkSettings = S3SinkSettings | HttpSinkSettings;

const SINKS_MAX = 8;
const TIMEOUT_SECONDS = 10;

/** Parses the setting AUDIT_SINKS, a JSON array with an object for each sink. Its errors name members, never values. */
export const auditSinks: Parser<readonly SinkSettings[]> = (text) => {
  const items = parseArray(text);
  if (items.length > SINKS_MAX) throw new Error(`must have at most ${SINKS_MAX} sinks`);
  const sinks = items.map((item, index) => readMembers(item, `sink ${index + 1}`, readSink));
  if (new Set(sinks.map(({ name }) => name)).size < sinks.length) throw new Error('must have distinct names');
  return sinks;
};

function parseArray(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // The error of the parser would quote the value.
  }
  throw new Error('must be a JSON array of objects');
}

function readSink(members: Members): SinkSettings {
  const kind = members.oneOf('kind', ['s3', 'http']);
  const common = {
    name: members.text('name', /^[a-z][a-z0-9-]{0,31}$/, 'at most 32 lower-case letters, digits and hyphens'),
    from: members.oneOf('from', ['now', 'beginning'], 'now'),
    timeoutMs: members.integer('timeout_seconds', 1, 60, TIMEOUT_SECONDS) * 1_000,
  } as const;
  return kind === 's3' ? { kind, ...common, ...readS3(members) } : { kind, ...common, ...readHttp(members) };
}

function readS3(members: Members): Omit<S3SinkSettings, keyof CommonSettings | 'kind'> {
  const accessKeyId = members.optionalText('access_key_id', /^\S+$/, 'an access key');
  const secretKey = members.optionalText('secret_access_key', /^\S+$/, 'a secret key');
  if ((accessKeyId === undefined) !== (secretKey === undefined))
    throw members.problem('secret_access_key', 'set together with access_key_id or not at all');
  return {
    bucket: members.text('bucket', /^[a-z0-9][a-z0-9.-]{1,62}$/, 'the name of a bucket'),
    region: members.text('region', /^[a-z0-9-]+$/, 'a region'),
    prefix:
      members.optionalText('prefix', /^[\w-]{1,64}(\/[\w-]{1,64}){0,3}$/, 'one to four parts of a key') ??
      'audit',
    endpoint: members.url('endpoint', { isOptional: true })?.href,
    pathStyle: members.flag('path_style'),
    checksums: members.oneOf('checksums', ['WHEN_REQUIRED', 'WHEN_SUPPORTED'], 'WHEN_REQUIRED'),
    credentials:
      accessKeyId === undefined || secretKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey: new Secret(secretKey) },
  };
}

function readHttp(members: Members): Omit<HttpSinkSettings, keyof CommonSettings | 'kind'> {
  // Characters that a header can carry: for any other, the error of a request would contain the value.
  const authorization = members.optionalText('authorization', /^[\x20-\x7e]{1,4096}$/, 'printable ASCII');
  return {
    url: new Secret(members.url('url')),
    authorization: authorization === undefined ? undefined : new Secret(authorization),
    allowsPrivate: members.flag('allow_private'),
  };
}

/** Entries and credentials leave over TLS. */
export const encryptedSinks: Rule<readonly SinkSettings[]> = (sinks, { PROFILE }) => {
  if (PROFILE !== 'production') return undefined;
  const plain = sinks.findIndex((sink) => !isEncrypted(sink));
  return plain === -1
    ? undefined
    : `must have addresses that begin with https:// with PROFILE=production, and sink ${plain + 1} has not`;
};

function isEncrypted(sink: SinkSettings): boolean {
  if (sink.kind === 'http') return sink.url.reveal().protocol === 'https:';
  return sink.endpoint === undefined || sink.endpoint.startsWith('https://');
}

/** Where a sink sends to, without what may be secret: for logs and for `audit_sinks`. */
export function destinationOf(sink: SinkSettings): string {
  if (sink.kind === 'http') return sink.url.reveal().origin;
  return `${sink.endpoint ?? 's3'}/${sink.bucket}/${sink.prefix}`.replaceAll(/(?<!:)\/\/+/g, '/');
}
