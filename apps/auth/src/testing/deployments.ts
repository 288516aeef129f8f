import type { TestProviderOptions } from './test-provider.js';

/** With characters that `client_secret_basic` must encode (RFC 6749, 2.3.1). */
export const CLIENT_SECRET = 'a client secret: with & characters %';

/** Two deployments that differ in every option. */
export const deployments: readonly (readonly [deployment: string, options: TestProviderOptions])[] = [
  ['public client (ES256, claims in the ID token)', { algorithm: 'ES256' }],
  [
    'confidential client (RS256, issuer with a path, claims from userinfo only)',
    {
      algorithm: 'RS256',
      issuerPath: '/realms/main',
      clientSecret: CLIENT_SECRET,
      claimsFromUserinfo: true,
    },
  ],
];
