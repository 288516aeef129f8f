import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { assertHeaders, send, withoutLimits } from '@vaultsvc/testing/http';
import { installFolder } from '../../../../tools/build/install-files.ts';
import { gateway } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let url: string;
beforeAll(async () => {
  const settings = {
    ...withoutLimits,
    HTTP_PORT: '0',
    API_ORIGIN: 'https://api.example.test',
    INSTALL_FOLDER: installFolder(),
  };
  url = urlOf(await harness.start(gateway, settings));
});

const request = async (target: string, headers: Record<string, string> = {}, method = 'GET') => {
  const answer = await send(url, { method, target, headers });
  // Answers of the API have no entity tag, these files have one.
  const { etag: _, ...others } = answer.headers;
  assertHeaders({ ...answer, headers: others });
  return answer;
};
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const files = [
  ['vaultsvc.mjs', 'text/javascript; charset=utf-8'],
  ['vaultsvc-cli.tgz', 'application/gzip'],
  ['vaultsvc-client.tgz', 'application/gzip'],
] as const;

describe('PKG-03: a file below /docs/install', () => {
  it.each(files)('is served with its type and its checksum: %s', async (name, type) => {
    const file = await request(`/docs/install/${name}`);
    expect([file.status, file.headers['content-type']]).toEqual([200, type]);
    expect(file.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'public, max-age=0',
      etag: `"${sha256(file.body)}"`,
    });
    const checksum = await request(`/docs/install/${name}.sha256`);
    expect(checksum.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(checksum.body.toString()).toBe(`${sha256(file.body)}  ${name}\n`);
  });

  it('is the program, and tarballs of packages', async () => {
    const program = (await request('/docs/install/vaultsvc.mjs')).body.toString();
    expect(program).toMatch(/^#!\/usr\/bin\/env node\n/);
    for (const name of ['vaultsvc-cli.tgz', 'vaultsvc-client.tgz']) {
      const { body } = await request(`/docs/install/${name}`);
      // RFC 1952, 2.3.1.
      expect([...body.subarray(0, 3)]).toEqual([0x1f, 0x8b, 8]);
    }
  });

  it('is 304 for a cache that has it, and whole for one that has another', async () => {
    const path = '/docs/install/vaultsvc-client.tgz';
    const { headers } = await request(path);
    const etag = String(headers['etag']);
    for (const known of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const { status, body, headers: again } = await request(path, { 'If-None-Match': known });
      expect([status, body.length, again['etag']]).toEqual([304, 0, etag]);
    }
    expect((await request(path, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('answers HEAD with its length', async () => {
    const path = '/docs/install/vaultsvc.mjs';
    const { body } = await request(path);
    const head = await request(path, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
      200,
      String(body.length),
      0,
    ]);
  });

  it('OPEN-55: is 404 under any other name and for other methods', async () => {
    for (const name of ['vaultsvc.mjs/', 'VAULTSVC.mjs', 'none.tgz', '..%2fvaultsvc.mjs'])
      expect((await request(`/docs/install/${name}`)).status).toBe(404);
    expect((await request('/docs/install/vaultsvc.mjs', {}, 'POST')).status).toBe(404);
  });
});

describe('PKG-03: the page /docs/install', () => {
  it('names each file with its checksum, and commands at the origin of the API', async () => {
    for (const path of ['/docs/install', '/docs/install/']) {
      const { status, body, headers } = await request(path);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const page = body.toString();
      for (const [name] of files) {
        expect(page).toContain(`https://api.example.test/docs/install/${name}`);
        expect(page).toContain(sha256((await request(`/docs/install/${name}`)).body));
      }
      expect(page).toContain('sha256sum -c vaultsvc.mjs.sha256');
      expect(page).not.toMatch(/\|\s*(ba|z)?sh\b/);
    }
  });

  it('has links that lead somewhere', async () => {
    const page = (await request('/docs/install')).body.toString();
    for (const [, target = ''] of page.matchAll(/href="(\/[^"]*)"/g))
      expect([target, (await request(target)).status]).toEqual([target, 200]);
  });
});

describe('PKG-03: a file that is not made yet', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-install-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is waited for, as npm start makes the packages once the stack is ready', async () => {
    const INSTALL_FOLDER = join(folder, 'install');
    const waiting = urlOf(await harness.start(gateway, { ...withoutLimits, HTTP_PORT: '0', INSTALL_FOLDER }));
    const answer = send(waiting, { method: 'GET', target: '/docs/install/vaultsvc.mjs', headers: {} });
    expect(await Promise.race([answer, setTimeout(500, 'waiting')])).toBe('waiting');
    cpSync(installFolder(), INSTALL_FOLDER, { recursive: true });
    expect((await answer).status).toBe(200);
  });
});
