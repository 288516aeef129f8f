import { request, type IncomingMessage } from 'node:http';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { ServiceConfig } from '@vaultsvc/config';
import { deleteSpark } from '@vaultsvc/contracts/sparks';
import { STRUCTURED_PATH } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Handles } from '@vaultsvc/messaging';
import { defineService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { api, send, withoutLimits } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import { startGatewayProcess, type GatewayProcess } from '../testing/gateway-process.js';
import { newApiKey } from '../testing/gateway-fixture.js';

const BODIES = 30;
const MEBIBYTE = 1_048_576;
/** 7 MiB of empty objects: parsing them takes a second and 150 MiB. */
const hostile = Buffer.from(`{"name":"a","data":{"a":[${'{},'.repeat((7 * MEBIBYTE - 100) / 3)}{}]}}`);

@Controller()
class FakeSparks {
  @Handles(deleteSpark)
  async delete(): Promise<void> {}
}
@Module({ controllers: [FakeSparks] })
class FakeSparksModule {}
const fakeSparks = defineService({ name: 'sparks', config: ServiceConfig, module: FakeSparksModule });

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let gateway: GatewayProcess;

beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  await harness.start(fakeSparks);
});
afterEach(() => gateway.stop());

/** Sends the whole body, whatever the server answers meanwhile. Resolves with the status; undefined when it cut the body off. */
function sendHostile(key: string, vat: string): Promise<number | undefined> {
  const target = STRUCTURED_PATH.replace('{vault_id}', newId('vlt_'));
  const headers = {
    'X-API-Key': key,
    'X-Vault-Access-Token': vat,
    'Content-Type': 'application/json',
    'Content-Length': hostile.length,
  };
  return new Promise((resolve) => {
    const outgoing = request(`${gateway.url}${target}`, { method: 'POST', headers });
    outgoing.on('response', (incoming: IncomingMessage) => {
      incoming.on('error', () => undefined).resume(); // the server may cut a body that it has refused
      resolve(incoming.statusCode);
    });
    outgoing.on('error', () => resolve(undefined)).end(hostile);
  });
}

/** Calls of another account and visits of a link page until `isOver`, fifty at least. Returns what they were answered. */
async function useAsOthers(isOver: () => boolean) {
  const other = api(gateway.url, { key: newApiKey(fakes).key });
  const answers = new Set<string>();
  for (let calls = 0; calls < 50 || !isOver(); calls += 1) {
    const call = await other.send({ method: 'DELETE', target: `/v1/sparks/${newId('spk_')}` });
    const page = await send(gateway.linkUrl, { method: 'GET', target: '/0123456789abcdefghijkl' });
    answers.add(`call ${call.status}`).add(`page ${page.status}`);
  }
  return [...answers].sort();
}

describe('ENV-44 MISC-08: thirty bodies of 7 MiB that one account sends at once', () => {
  it.each([
    ['a junk token are all 401', 'unknown', [401]],
    ['a valid token are 400 for their structure, or 429', 'good', [400, 429]],
  ])(
    'with %s, and neither stop nor fail the calls of another account and link pages',
    async (_, vat, expected) => {
      gateway = await startGatewayProcess(harness, withoutLimits);
      const { key } = newApiKey(fakes);
      await api(gateway.url, { key }).send({ method: 'DELETE', target: `/v1/sparks/${newId('spk_')}` });
      await gateway.longestTurnMs(); // of its start
      const before = await gateway.peakMebibytes();
      let isOver = false;
      const others = useAsOthers(() => isOver);
      const answers = await Promise.all(Array.from({ length: BODIES }, () => sendHostile(key, vat)));
      isOver = true;
      expect([...new Set(answers.filter((status) => status !== undefined))].sort()).toEqual(expected);
      expect(await others).toEqual(['call 204', 'page 200']);
      expect(await gateway.longestTurnMs()).toBeLessThan(500);
      expect((await gateway.peakMebibytes()) - before).toBeLessThan(300);
    },
  );
});
