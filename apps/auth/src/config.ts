import {
  eachShardOnce,
  httpUrl,
  issuerOverTls,
  list,
  oneOf,
  origin,
  RedisSettings,
  rotatedKey,
  Secret,
  secretText,
  Setting,
  shardNumbers,
  socketAddress,
  text,
  withSettings,
  type RotatedKey,
} from '@vaultsvc/config';
import { KmsConfig } from '@vaultsvc/crypto/kms';

export class AuthConfig extends withSettings(KmsConfig, RedisSettings) {
  @Setting(origin, 'Public origin of the API: the issuer of every token.')
  API_ORIGIN: string;

  @Setting(
    rotatedKey,
    'Key of the MAC of credential records in Redis; equal in auth and the gateway. Two keys while it changes: the first one signs.',
  )
  CREDENTIAL_RECORD_KEY: Secret<RotatedKey>;

  @Setting(
    rotatedKey,
    'Key of the MAC of pool snapshots in Redis; equal in reporting, auth and the gateway. Two keys while it changes: the first one signs.',
  )
  POOL_SNAPSHOT_KEY: Secret<RotatedKey>;

  @Setting(
    oneOf('auto', '0', '1', '2', '3'),
    'Replicas of Redis that have a revocation before it is answered, so that a failover does not lose it; otherwise the answer is 500. auto: 1 with REDIS_CLUSTER, else 0.',
  )
  REDIS_REVOCATION_REPLICAS = 'auto';

  @Setting(
    httpUrl,
    'Issuer of the OpenID Connect provider that people sign in with: discovery begins there.',
    issuerOverTls,
  )
  OIDC_ISSUER: string;

  @Setting(text, 'Our client id at the identity provider.')
  OIDC_CLIENT_ID: string;

  @Setting(secretText, 'Our client secret there; without one we are a public client, protected by PKCE.')
  OIDC_CLIENT_SECRET: Secret = new Secret('');

  @Setting(httpUrl, 'Where the provider sends people back to: the page that exchanges the code.')
  OIDC_REDIRECT_URI: string;

  @Setting(list(socketAddress), 'DNS servers that look up domain claims; none: those of the system.')
  DNS_RESOLVERS: readonly string[] = [];

  @Setting(
    shardNumbers,
    'Shards of new accounts, each as likely as any other. An account stays on its shard.',
    (shards, { SHARDS: all }) =>
      eachShardOnce(shards) ??
      (shards.every((one) => (all as readonly number[]).includes(one)) ? undefined : 'must be among SHARDS'),
  )
  ACCOUNT_SHARDS: readonly number[] = [0];

  @Setting(origin, 'Origin of SparkLinks; its domain cannot be claimed.')
  LINK_ORIGIN: string;

  @Setting(origin, 'Origin of file pages; its domain cannot be claimed.')
  FILES_ORIGIN: string;

  @Setting(origin, 'Origin of Forge; its domain cannot be claimed.')
  FORGE_ORIGIN: string;
}
