import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../tools/stack/servers/ports.mjs';
import { storeFailure } from './failures.js';
import { buildPutting, putInProcess } from './testing/program.js';

const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));

describe('a store that is not there is told by the code of the connection', () => {
  it('which was refused at each address of its name', async () => {
    const socket = connect({
      port: await freePort(),
      host: 'store.example',
      autoSelectFamily: true,
      lookup: (_, __, done) => done(null, addresses),
    });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.name).toBe('AggregateError');
    expect(storeFailure('check', error)).toMatchObject({ reason: 'ECONNREFUSED' });
  });

  // Not in this process: between the realms of jest the SDK takes the system's errors for none, and wraps them.
  it('as the SDK gives it to a program', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'vaultsvc-putting-'));
    const s3 = { endpoint: `http://127.0.0.1:${await freePort()}`, bucket: 'b', region: 'us-east-1' };
    const { results } = await putInProcess(await buildPutting(dir), { s3, keys: ['k'], bytes: 10 });
    expect(results).toEqual(['Unavailable ECONNREFUSED']);
    await rm(dir, { recursive: true });
  });
});
