import { describe, expect, it } from '@jest/globals';
import { createSpark, listLinks, listSparks, shareSpark } from '@vaultsvc/contracts/sparks';
import { succeeded } from '@vaultsvc/testing/http';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant } from '../access/tenant.js';

const platform = usePlatform();

const spark = {
  payload: 'x',
  ttl_minutes: 5,
  content_type: 'text/plain',
  filename: null,
  with_kindling: false,
};

describe('SPK-52 AUD-10: the creator in lists of Sparks and links, over HTTP', () => {
  it('has the e-mail address of a person, and the name of an API key', async () => {
    const { owner, key, ownerSession } = await newTenant(platform);
    const ofPerson = succeeded(await owner.call(createSpark, { body: { ...spark, label: 'by Ann' } }));
    const ofKey = succeeded(await key.call(createSpark, { body: spark }));
    const params = { spark_id: ofPerson.spark_id };
    const body = { visibility: 'public' as const, invites: [] };
    succeeded(await key.call(shareSpark, { params, body }));
    const { sparks } = succeeded(await owner.call(listSparks, { query: { limit: 10 } }));
    const person = {
      kind: 'person',
      id: ownerSession.subject,
      name: expect.stringMatching(/^[^@\s]+@[^@\s]+$/),
    };
    const apiKey = { kind: 'api_key', id: expect.stringMatching(/^key_/), name: expect.stringMatching(/./) };
    expect(sparks).toMatchObject([
      { spark_id: ofKey.spark_id, created_by: apiKey },
      { spark_id: ofPerson.spark_id, label: 'by Ann', created_by: person },
    ]);
    const { sparklinks } = succeeded(await owner.call(listLinks, { query: { limit: 10 } }));
    expect(sparklinks).toMatchObject([{ label: 'by Ann', created_by: apiKey }]);
  });
});
