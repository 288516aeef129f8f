import {
  integer,
  oneOf,
  origin,
  protectedOrigin,
  RedisSettings,
  Secret,
  secretText,
  Setting,
  text,
  togetherWith,
  withSettings,
} from '@vaultsvc/config';
import { KmsConfig } from '@vaultsvc/crypto/kms';

/** Without the credentials of an app at its provider, the app can be installed but not connected. */
export class IntegrationsConfig extends withSettings(KmsConfig, RedisSettings) {
  @Setting(origin, 'Public origin of the API. Providers sign it in their requests.')
  API_ORIGIN: string;

  @Setting(integer({ min: 1 }), 'Operations of one account in one minute; as in the gateway.')
  RATE_LIMIT_PER_MINUTE = 300;

  @Setting(protectedOrigin, 'Origin of the API of the chat platform.')
  CHATAPP_API_ORIGIN = 'https://slack.com';

  @Setting(text, 'Client id of the chat app. Without it the chat app cannot be connected.')
  CHATAPP_CLIENT_ID = '';

  @Setting(secretText, 'Client secret of the chat app.', togetherWith('CHATAPP_CLIENT_ID'))
  CHATAPP_CLIENT_SECRET: Secret = new Secret('');

  @Setting(secretText, 'Signing secret of the chat app, for its webhooks.', togetherWith('CHATAPP_CLIENT_ID'))
  CHATAPP_SIGNING_SECRET: Secret = new Secret('');

  @Setting(
    integer({ min: 1, max: 100_000 }),
    'Most records that one read of the usage of the chat app returns.',
  )
  CHAT_ANALYTICS_ROWS_MAX = 10_000;

  @Setting(protectedOrigin, 'Origin of the API of crma.')
  CRMA_API_ORIGIN = 'https://api.hubapi.com';

  @Setting(protectedOrigin, 'Origin of the consent page of crma.')
  CRMA_AUTHORIZE_ORIGIN = 'https://app.hubspot.com';

  @Setting(text, 'Client id of the app at crma. Without it crma cannot be connected.')
  CRMA_CLIENT_ID = '';

  @Setting(
    secretText,
    'Client secret of the app at crma, which also signs its requests.',
    togetherWith('CRMA_CLIENT_ID'),
  )
  CRMA_CLIENT_SECRET: Secret = new Secret('');

  @Setting(text, 'Id of the app at crma. With it, events of another app are refused.')
  CRMA_APP_ID = '';

  @Setting(
    protectedOrigin,
    'Origin at which orgs of crmb sign in; https://test.salesforce.com for sandboxes.',
  )
  CRMB_LOGIN_ORIGIN = 'https://login.salesforce.com';

  @Setting(text, 'Client id of the app at crmb. Without it crmb cannot be connected.')
  CRMB_CLIENT_ID = '';

  @Setting(secretText, 'Client secret of the app at crmb.', togetherWith('CRMB_CLIENT_ID'))
  CRMB_CLIENT_SECRET: Secret = new Secret('');

  @Setting(
    oneOf('jwt_hs256', 'userinfo'),
    'How sessions of crmb are verified: jwt_hs256, tokens signed with the secret of their org, or userinfo, by asking the instance of the org.',
  )
  CRMB_VERIFIER: 'jwt_hs256' | 'userinfo' = 'jwt_hs256';

  @Setting(
    secretText,
    'Secret with which orgs of crmb that were connected without a secret of their own sign sessions (HS256), for CRMB_VERIFIER=jwt_hs256.',
  )
  CRMB_SESSION_SECRET: Secret = new Secret('');
}
