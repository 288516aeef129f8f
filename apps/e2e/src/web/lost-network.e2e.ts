import { describe, expect, it } from '@jest/globals';
import { integer, loadConfig, oneOf, Setting } from '@vaultsvc/config';
import type { BrowserContext } from 'playwright-core';
import { newEmail, signIn } from '../sign-in.js';
import { journeys, type Journey } from './journeys.js';
import { Patient, Tunnel } from './tunnel.js';
import { useContext } from './use-context.js';
import { WebApp } from './web-app.js';

class LostNetworkConfig {
  @Setting(
    oneOf('one', 'all'),
    'Whether the network is lost at one call of each journey or at each; `npm run lost-network` sets `all`.',
  )
  LOST_CALLS: 'one' | 'all' = 'one';

  @Setting(integer({ min: 1, max: 1_000 }), 'Draws the one call.')
  LOST_SEED = 3;
}

const { LOST_CALLS, LOST_SEED } = loadConfig(LostNetworkConfig);
const TIMEOUT_MS = LOST_CALLS === 'all' ? 3_600_000 : 120_000;

let context: BrowserContext;
useContext((own) => (context = own));

/** @returns whether the journey had as many calls */
async function travel({ place, travel: go, count }: Journey, at: number): Promise<boolean> {
  const email = newEmail();
  const tunnel = await Tunnel.before(context);
  const app = await WebApp.openIn(context);
  await app.signUp(email);
  tunnel.begin(at);
  await app.place(place).click();
  await go(new Patient(app, tunnel)).catch(async (error: Error) => {
    const shown = await app.page.locator('body').innerText();
    throw new Error(`${error.message}\nCall ${at} was lost, and the page shows:\n${shown}`, { cause: error });
  });
  tunnel.leave();
  expect(app.errors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  expect(await app.kept()).not.toMatch(/in a tunnel|correct horse|sealed contract/);
  const { client } = await signIn({ email });
  expect({ at, count: await count(client) }).toEqual({ at, count: 1 });
  await app.page.close();
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  return tunnel.seen >= at;
}

describe('WEB-07: a person whose network is lost', () => {
  it.each(Object.entries(journeys))(
    '%s, and nothing is lost or done twice',
    async (_, journey) => {
      if (LOST_CALLS === 'one')
        return void expect(await travel(journey, 1 + (LOST_SEED % journey.calls))).toBe(true);
      for (let at = 1; await travel(journey, at); at += 1) await context.clearCookies();
    },
    TIMEOUT_MS,
  );
});
