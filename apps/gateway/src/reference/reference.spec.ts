import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@vaultsvc/contracts/catalog';
import { startHarness, type Harness } from '@vaultsvc/testing/harness';
import { assertHeaders, send } from '@vaultsvc/testing/http';
import { urlOf } from '../backing/world.js';
import { gateway } from '../gateway.service.js';
import { html } from './html.js';

interface OpenApi {
  readonly openapi: string;
  readonly servers: { url: string }[];
  readonly paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters: { name: string; in: string }[];
        responses: Record<string, { description: string }>;
      }
    >
  >;
}

let harness: Harness;
let url: string;
beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  url = urlOf(
    await harness.start(gateway, {
      HTTP_PORT: '0',
      API_ORIGIN: 'https://api.example.test',
      CORS_ORIGINS: 'https://app.test',
    }),
  );
});
afterAll(() => harness.stop());

const get = async (target: string) => {
  const answer = await send(url, { method: 'GET', target });
  assertHeaders(answer);
  expect(answer.status).toBe(200);
  expect(answer.headers['cache-control']).toBe('public, max-age=300');
  return answer;
};

describe('OPEN-56: /v1/openapi.json needs no credential and has no envelope', () => {
  it('MISC-02: describes every endpoint of the catalogue at the configured origin', async () => {
    const document = JSON.parse((await get('/v1/openapi.json')).body.toString()) as OpenApi;
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://api.example.test' }] });
    const described = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(described.sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it('names every path parameter and every declared error code', async () => {
    const { paths } = JSON.parse((await get('/v1/openapi.json')).body.toString()) as OpenApi;
    for (const { http } of operations) {
      const described = paths[http.path]?.[http.method.toLowerCase()];
      const inPath = [...http.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(
        described?.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      ).toEqual(inPath);
      expect(described?.responses['500']?.description).toContain('INTERNAL_ERROR');
      expect(described?.responses).toHaveProperty(String(http.status));
    }
  });
});

describe("OPEN-10: the reference counts on the caller's address", () => {
  it('in the same window as other calls without an account', async () => {
    for (const target of ['/v1/openapi.json', '/docs']) {
      expect((await get(target)).headers['ratelimit-policy']).toBe('"address";q=600;w=60');
    }
  });
});

describe('/docs is readable and lets nothing else in', () => {
  it.each(['style', 'script'])(
    'lets its own %s through its policy: the hash is that of the bytes in the page',
    async (tag) => {
      const answer = await get('/docs');
      const [, source = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(answer.body.toString()) ?? [];
      const hash = createHash('sha256').update(source).digest('base64');
      expect(source.trim()).not.toBe('');
      expect(answer.headers['content-security-policy']).toContain(`${tag}-src 'sha256-${hash}'`);
    },
  );

  it('shows every operation, and its policy allows only its own style and script', async () => {
    const answer = await get('/docs');
    const page = answer.body.toString();
    for (const { http, summary } of operations) {
      expect(page).toContain(http.path);
      expect(page).toContain(html`${summary}`.text);
    }
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(page).not.toMatch(/https?:\/\/(?!api\.example\.test)/);
    expect(page).not.toMatch(/ on\w+=| style=/);
  });

  it('escapes what it shows', () => {
    expect(html`<p title="${'"><script>'}">${"a & b's"}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;">a &amp; b&#39;s</p>',
    );
  });
});
