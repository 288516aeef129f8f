import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../tools/stack/servers/ports.ts';
import { toUnavailable } from './errors.js';
import { buildPutProgram, runPutProgram } from './testing/put-process.js';

const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));

describe('the reason of Unavailable for an unreachable store', () => {
  it('is the code of the connections to all addresses of its name', async () => {
    const socket = connect({
      port: await freePort(),
      host: 'store.example',
      autoSelectFamily: true,
      lookup: (_, __, done) => done(null, addresses),
    });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.name).toBe('AggregateError');
    expect(toUnavailable('check', error)).toMatchObject({ reason: 'ECONNREFUSED' });
  });

  // In a process of its own: across the realms of Jest the SDK does not recognize errors of the system, and wraps them.
  it('is the code that the SDK reports', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'vaultsvc-put-'));
    const s3 = { endpoint: `http://127.0.0.1:${await freePort()}`, bucket: 'b', region: 'us-east-1' };
    const { results } = await runPutProgram(await buildPutProgram(dir), { s3, keys: ['k'], bytes: 10 });
    expect(results).toEqual(['Unavailable ECONNREFUSED']);
    await rm(dir, { recursive: true });
  });
});
