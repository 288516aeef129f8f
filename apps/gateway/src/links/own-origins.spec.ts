import { describe, expect, it } from '@jest/globals';
import type { GatewayConfig } from '../config.js';
import { assertOwnOrigins } from './own-origins.js';

const origins = {
  API_ORIGIN: 'https://api.example',
  LINK_ORIGIN: 'https://links.example',
  FILES_ORIGIN: 'https://files.example',
};
const check = (settings: Partial<typeof origins>) => () =>
  assertOwnOrigins({ ...origins, ...settings } as GatewayConfig);

describe('LNK-11: the origins of link pages', () => {
  it('are their own', () => {
    expect(check({})).not.toThrow();
  });

  it.each([
    ['links on the API', { LINK_ORIGIN: origins.API_ORIGIN }],
    ['files on the API', { FILES_ORIGIN: origins.API_ORIGIN }],
    ['links and files on one', { FILES_ORIGIN: origins.LINK_ORIGIN }],
  ])('keep the gateway from starting when they are not: %s', (_, settings) => {
    expect(check(settings)).toThrow('LINK_ORIGIN and FILES_ORIGIN must be three different origins');
  });
});
