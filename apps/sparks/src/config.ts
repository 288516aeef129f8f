import {
  ConfigError,
  DatabaseConfig,
  encryptedHttp,
  integer,
  origin,
  postgresUrl,
  PostgresUrl,
  Secret,
  Setting,
  ShardConfig,
  text,
  verifiedPostgres,
  withSettings,
  type Parser,
} from '@vaultsvc/config';
import type { LinkDomain } from '@vaultsvc/contracts';
import { KmsConfig } from '@vaultsvc/crypto/kms';
import type { DatabaseSettings } from '@vaultsvc/database';

/** The Web Risk endpoint and its credential. */
export interface WebRiskAccess {
  /** An origin of the operator's choice. */
  readonly origin: string;
  readonly apiKey: Secret;
}

/** Accepts only characters that a header can carry: for any other, the error of a request would contain the key. */
const apiKey: Parser<Secret> = (value) => {
  if (/^[\x21-\x7e]{1,512}$/.test(value)) return new Secret(value);
  throw new Error('must be at most 512 ASCII characters without spaces');
};

const KEYS_POOL_MAX = 3;

/** The settings of both databases of the service: all that its migrations need. */
export class SparksDatabaseConfig extends DatabaseConfig {
  @Setting(
    postgresUrl,
    'PostgreSQL URL of the database of hourly keys. None: that of DATABASE_URL with `_keys` added to its name.',
    (url, config) => (url.reveal() === '' ? undefined : verifiedPostgres(url, config)),
  )
  KEYS_DATABASE_URL: Secret = new Secret('');
}

/**
 * The pool of the keys database. A cached key needs no query for 5 minutes, so few connections suffice.
 * @throws ConfigError when it is the database of the Sparks, whose copies would then open them
 */
export function keysDatabaseOf(config: SparksDatabaseConfig): DatabaseSettings {
  const { DATABASE_URL, KEYS_DATABASE_URL } = config;
  const main = new PostgresUrl(DATABASE_URL.reveal());
  const text = KEYS_DATABASE_URL.reveal() || main.withDatabase(`${main.database}_keys`);
  if (new PostgresUrl(text).sharesDatabase(main))
    throw new ConfigError(['KEYS_DATABASE_URL must name another database than DATABASE_URL']);
  return { ...config, DATABASE_URL: new Secret(text), DATABASE_POOL_MAX: KEYS_POOL_MAX };
}

export class SparksConfig extends withSettings(KmsConfig, withSettings(SparksDatabaseConfig, ShardConfig)) {
  @Setting(origin, 'Origin of SparkLinks; a link is this origin and its code.')
  LINK_ORIGIN: string;

  @Setting(origin, 'Origin of durable shares of files.')
  FILES_ORIGIN: string;

  @Setting(
    integer({ min: 1, max: 100_000_000 }),
    'E-mails that one account may cause per clock hour: notifications, invitations, deliveries and codes.',
  )
  MAILS_PER_HOUR = 5_000;

  @Setting(
    integer({ min: 1, max: 100_000_000 }),
    'Text messages and calls that one account may cause per clock hour, also by WhatsApp and RCS; each costs money.',
  )
  TEXTS_PER_HOUR = 1_000;

  @Setting(
    integer({ min: 1, max: 100_000_000 }),
    'Notifications by any other channel that one account may cause per clock hour.',
  )
  OTHER_MESSAGES_PER_HOUR = 50_000;

  @Setting(
    integer({ max: 1_200 }),
    'Months for which reading a burned or expired Spark answers 403; later it answers 404. 0: for ever.',
  )
  SPARK_TOMBSTONE_MONTHS = 0;

  @Setting(
    text,
    'File of hosts and hashes that visitors of links are warned of, reread when it changes. Empty: no list.',
  )
  URL_BLOCKLIST_FILE = '';

  @Setting(
    apiKey,
    'API key of Google Web Risk, which checks the destinations of links. Empty: Web Risk is not used.',
  )
  WEB_RISK_API_KEY: Secret = new Secret('');

  @Setting(origin, 'Origin of the Web Risk API.', encryptedHttp)
  WEB_RISK_URL = 'https://webrisk.googleapis.com';

  /** The URL that opens a link in a browser. Durable shares have an origin of their own (SHR-06). */
  linkUrl(domain: LinkDomain, code: string): string {
    return `${domain === 'files' ? this.FILES_ORIGIN : this.LINK_ORIGIN}/${code}`;
  }

  /** Undefined without a key. */
  get webRisk(): WebRiskAccess | undefined {
    if (this.WEB_RISK_API_KEY.reveal() === '') return undefined;
    return { origin: this.WEB_RISK_URL, apiKey: this.WEB_RISK_API_KEY };
  }
}
