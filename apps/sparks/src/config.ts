import { ConfigError, integer, origin, Secret, Setting, text, type Parser } from '@vaultsvc/config';
import { KmsConfig } from '@vaultsvc/crypto/kms';

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

export class SparksConfig extends KmsConfig {
  @Setting(origin, 'Origin of SparkLinks: a link is this and its code.')
  LINK_ORIGIN: string;

  @Setting(origin, 'Origin of durable shares of files.')
  FILES_ORIGIN: string;

  @Setting(
    integer({ min: 1, max: 1_000_000 }),
    'Mails about its links that one account may cause in an hour: invitations, deliveries and codes.',
  )
  LINK_MAILS_PER_HOUR = 500;

  @Setting(integer({ min: 1, max: 1_000_000 }), 'The same of texts, each of which costs money.')
  LINK_TEXTS_PER_HOUR = 100;

  @Setting(
    text,
    'File of hosts and hashes that visitors of links are warned of; read again when it changes. None: no list.',
  )
  URL_BLOCKLIST_FILE = '';

  @Setting(
    apiKey,
    'Key of Google Web Risk, which visitors of links are warned by; without one it is not asked.',
  )
  WEB_RISK_API_KEY: Secret = new Secret('');

  @Setting(origin, 'Where Web Risk is asked.')
  WEB_RISK_URL = 'https://webrisk.googleapis.com';

  /** @throws ConfigError where the key would go over plain HTTP. */
  get webRisk(): WebRiskAccess | undefined {
    if (this.WEB_RISK_API_KEY.reveal() === '') return undefined;
    if (this.PROFILE !== 'local' && !this.WEB_RISK_URL.startsWith('https:'))
      throw new ConfigError(['WEB_RISK_URL must be https outside of the local profile']);
    return { origin: this.WEB_RISK_URL, apiKey: this.WEB_RISK_API_KEY };
  }
}
