import type { Rule } from './load-config.js';
import { PostgresUrl } from './postgres-url.js';
import { isProtectedUrl } from './urls/index.js';
import type { Secret } from './secret.js';

/**
 * The connections that a deployment encrypts and authenticates. With PROFILE=local they need not be; a service in
 * production does not start without them.
 */
function inProduction<T>(problemOf: (value: T) => string | undefined): Rule<T> {
  return (value, { PROFILE }) => (PROFILE === 'production' ? problemOf(value) : undefined);
}

/** The NKey of a service at NATS, without which it needs a file of credentials. */
export const natsCredentials: Rule<Secret> = (seed, { PROFILE, NATS_CREDENTIALS_FILE }) =>
  PROFILE === 'production' && seed.reveal() === '' && NATS_CREDENTIALS_FILE === ''
    ? 'or NATS_CREDENTIALS_FILE is required with PROFILE=production'
    : undefined;

/** NATS servers, comma-separated. */
export const encryptedNats = inProduction<string>((value) =>
  value.split(',').every((server) => server.trim().startsWith('tls://'))
    ? undefined
    : 'must begin with tls:// for each server with PROFILE=production',
);

/** A Redis URL. Without a user it would be that of the default user, who may do everything. */
export const encryptedRedis = inProduction<Secret>((value) => {
  return isEncryptedRedis(value.reveal())
    ? undefined
    : 'must begin with rediss:// and contain a user of its own and a password with PROFILE=production';
});

/** The Sentinels say which server gets the commands and the password of a service. */
export const encryptedSentinels = inProduction<Secret<readonly string[]>>((value) =>
  value.reveal().every(isEncryptedRedis)
    ? undefined
    : 'must begin with rediss:// and contain a user of its own and a password, for each server, with PROFILE=production',
);

/** A cluster chooses its masters itself. */
export const withoutSentinels: Rule<readonly string[]> = (nodes, { REDIS_SENTINELS }) =>
  nodes.length > 0 && (REDIS_SENTINELS as Secret<readonly string[]>).reveal().length > 0
    ? 'is not set together with REDIS_SENTINELS'
    : undefined;

function isEncryptedRedis(url: string): boolean {
  const { protocol, username, password } = new URL(url);
  return protocol === 'rediss:' && username !== '' && username !== 'default' && password !== '';
}

/** A PostgreSQL URL. Any other mode of TLS than verify-full accepts the server of anybody. */
export const verifiedPostgres = inProduction<Secret>((value) => {
  const { username, password, searchParams } = new PostgresUrl(value.reveal()).url;
  const modes = searchParams.getAll('sslmode');
  const isVerified = modes.length > 0 && modes.every((mode) => mode === 'verify-full');
  const hasCertificate = searchParams.has('sslcert') && searchParams.has('sslkey');
  return isVerified && username !== '' && (password !== '' || hasCertificate)
    ? undefined
    : 'must have sslmode=verify-full, and a user with a password or with sslcert and sslkey, with PROFILE=production';
});

/** An address; empty: that of AWS, which is https. */
export const encryptedHttp = inProduction<string>((value) =>
  value === '' || value.startsWith('https://')
    ? undefined
    : 'must begin with https:// with PROFILE=production',
);

/** An OpenID Connect issuer: whoever answers for it signs people in. Plain HTTP only on this machine. */
export const issuerOverTls = inProduction<string>((value) =>
  isProtectedUrl(new URL(value))
    ? undefined
    : 'must begin with https:// with PROFILE=production, but on a loopback address',
);

/** A header for a collector of traces, which is sent to no other than an encrypted one. */
export const encryptedTraces: Rule<Secret> = (value, { TRACES_ENDPOINT }) =>
  value.reveal() === '' || String(TRACES_ENDPOINT).startsWith('https://')
    ? undefined
    : 'is sent to a TRACES_ENDPOINT that begins with https:// only';

/** A secret that is of no use without another setting, and the other way round. Both are empty by default. */
export function togetherWith(id: string): Rule<Secret> {
  return (value, config) =>
    (value.reveal() === '') === (config[id] === '') ? undefined : `is set together with ${id} or not at all`;
}
