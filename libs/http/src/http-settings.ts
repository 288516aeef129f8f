import { flag, integer, list, origin, Setting, text } from '@vaultsvc/config';
import { plainHttpOnLoopback } from './assert-https.js';
import { proxyList } from './client-address.js';

/** The settings of a public HTTP surface. Each service declares its own port beside them. */
export class HttpSettings {
  @Setting(text, 'Address that the public port listens on.')
  HTTP_HOST = '127.0.0.1';

  @Setting(
    flag,
    'Whether to refuse requests over plain HTTP; false only with PROFILE=local and HTTP_HOST on loopback.',
    plainHttpOnLoopback,
  )
  REQUIRE_HTTPS = true;

  @Setting(
    proxyList,
    'Addresses or CIDR blocks of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.',
  )
  TRUSTED_PROXIES: readonly string[] = [];

  @Setting(list(origin), 'Origins whose pages may call the API with credentials.')
  CORS_ORIGINS: readonly string[] = [];

  @Setting(integer({ min: 1 }), 'Calls without an account from one address in one minute.')
  RATE_LIMIT_PER_IP_PER_MINUTE = 600;

  @Setting(origin, 'Public origin of the API: the issuer of access tokens. Its panels may transfer files.')
  API_ORIGIN: string;

  @Setting(origin, 'Public origin of link pages, on another host than the API. They may transfer files.')
  LINK_ORIGIN: string;

  @Setting(origin, 'Public origin of file pages, on another host than the API. They may transfer files.')
  FILES_ORIGIN: string;
}
