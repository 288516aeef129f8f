import { describe, expect, it } from '@jest/globals';

import { assertDistinctOrigins, type GatewayConfig } from './config.js';

const origins = {
  API_ORIGIN: 'https://api.example',
  LINK_ORIGIN: 'https://links.example',
  FILES_ORIGIN: 'https://files.example',
};
const check = (settings: Partial<typeof origins>) => () =>
  assertDistinctOrigins({ ...origins, ...settings } as GatewayConfig);

describe('LNK-11: assertDistinctOrigins', () => {
  it('accepts three different origins', () => {
    expect(check({})).not.toThrow();
  });

  it.each([
    ['links on the API', { LINK_ORIGIN: origins.API_ORIGIN }],
    ['files on the API', { FILES_ORIGIN: origins.API_ORIGIN }],
    ['links and files on one origin', { FILES_ORIGIN: origins.LINK_ORIGIN }],
  ])('keeps the gateway from starting with %s', (_, settings) => {
    expect(check(settings)).toThrow('LINK_ORIGIN and FILES_ORIGIN must be three different origins');
  });
});
