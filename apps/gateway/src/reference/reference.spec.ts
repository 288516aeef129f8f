import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@vaultsvc/contracts/catalog';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import {
  assertHeaders,
  UNREACHED_LIMIT,
  send,
  retryRateLimited,
  withoutLimits,
} from '@vaultsvc/testing/http';
import { installFolder } from '../../../../tools/build/install-files.ts';
import { gateway } from '../service-definition.js';
import { apiResources } from './operations/api-resources.js';
import { titleOf } from './operations/operation-documentation.js';
import { guides } from './guides.js';
import { html } from './html.js';
import { entry, files, version } from './reference-assets.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let url: string;
beforeAll(async () => {
  url = urlOf(
    await harness.start(gateway, {
      ...withoutLimits,
      HTTP_PORT: '0',
      API_ORIGIN: 'https://api.example.test',
      LINK_ORIGIN: 'https://links.example.test',
      FILES_ORIGIN: 'https://files.example.test',
      CORS_ORIGINS: 'https://app.test',
      INSTALL_FOLDER: installFolder(),
    }),
  );
});

const request = async (target: string, headers: Record<string, string> = {}) => {
  const answer = await retryRateLimited(
    () => send(url, { method: 'GET', target, headers }),
    ({ status }) => status === 429,
  );
  assertHeaders(answer);
  return answer;
};
const get = async (target: string, headers?: Record<string, string>) => {
  const answer = await request(target, headers);
  expect([target, answer.status]).toEqual([target, 200]);
  return answer;
};

describe('OPEN-56: /v1/openapi.json, without credential and envelope,', () => {
  it('MISC-02: is the document of every operation of the catalogue, at the configured origin', async () => {
    const document = JSON.parse((await get('/v1/openapi.json')).body.toString()) as {
      paths: Record<string, Record<string, { tags?: string[]; operationId?: string }>>;
    };
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://api.example.test' }] });
    for (const { http } of operations)
      expect(document.paths[http.path]).toHaveProperty(http.method.toLowerCase());
  });

  it('is compressed for clients that accept brotli, and for no others', async () => {
    const plain = await get('/v1/openapi.json');
    expect(plain.headers).not.toHaveProperty('content-encoding');
    for (const accepted of ['br', 'gzip, deflate, br', 'gzip, br;q=0.5']) {
      const { headers, body } = await get('/v1/openapi.json', { 'Accept-Encoding': accepted });
      expect(headers).toMatchObject({ 'content-encoding': 'br' });
      expect(headers['vary']).toContain('Accept-Encoding');
      expect(brotliDecompressSync(body).equals(plain.body)).toBe(true);
    }
    for (const refused of ['gzip', 'br;q=0', 'brown'])
      expect((await get('/v1/openapi.json', { 'Accept-Encoding': refused })).headers).not.toHaveProperty(
        'content-encoding',
      );
  });
});

describe('OPEN-10: a request for the reference', () => {
  it("counts on the caller's address where it is for the document, and not where it is for a page", async () => {
    expect((await get('/v1/openapi.json')).headers['ratelimit-policy']).toBe(
      `"address";q=${UNREACHED_LIMIT};w=60`,
    );
    for (const target of ['/docs', '/docs/guides', '/docs/guides/files', '/docs/errors', '/docs/search.json'])
      expect((await get(target)).headers).not.toHaveProperty('ratelimit-policy');
  });
});

describe('OPEN-56: /docs', () => {
  it('lists every operation without scripts, in less than 60 KB', async () => {
    const { body, headers } = await get('/docs');
    const page = body.toString();
    for (const op of operations) {
      expect(page).toContain(html`${op.http.method} ${op.http.path}`.text);
      expect(page).toContain(html`${titleOf(op)}`.text);
    }
    expect(body.length).toBeLessThan(60_000);
    expect(headers['cache-control']).toBe('public, max-age=300');
  });

  it('loads the viewer from its own origin only, and sends requests to the platform only', async () => {
    const { body, headers } = await get('/docs');
    const page = body.toString();
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(page) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(script).not.toBe('');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`default-src 'none'; script-src 'self' 'sha256-${hash}'; `);
    expect(policy).toMatch(
      /connect-src 'self'( https:\/\/(api|links|files)\.example\.test| https?:\/\/\S+)+;/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="https?:/);
  });

  it('has a viewer below 1 MB compressed, with the document, cached for a year', async () => {
    const modules = [...(Buffer.from(files[entry] ?? '', 'base64').length > 0 ? [entry] : [])];
    const seen = new Set(modules);
    for (const name of seen) {
      const target = `/docs/assets/${version}/${name}`;
      const { body, headers } = await get(target, { 'Accept-Encoding': 'br' });
      expect(headers).toMatchObject({
        'content-encoding': 'br',
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000',
      });
      for (const imported of staticImports(brotliDecompressSync(body).toString()))
        seen.add(new URL(imported, `http://x/${name}`).pathname.slice(1));
    }
    const compressed = [...seen].map((name) => Buffer.from(files[name] ?? '', 'base64').length);
    const others = await Promise.all(
      ['/docs', '/v1/openapi.json'].map((target) => get(target, { 'Accept-Encoding': 'br' })),
    );
    const total = [...compressed, ...others.map(({ body }) => body.length)].reduce(
      (sum, size) => sum + size,
      0,
    );
    expect(seen.size).toBeGreaterThan(5);
    expect(total).toBeLessThan(1_000_000);
  });

  it('OPEN-55: has no files at other paths', async () => {
    for (const target of [
      `/docs/assets/${version}/none.js`,
      '/docs/assets/x',
      '/DOCS',
      '/docs/',
      '/docs/guides/none',
    ])
      expect((await request(target)).status).toBe(404);
  });
});

describe('OPEN-55: an unknown path of the documentation', () => {
  it.each(['/docs/guides/none', '/docs/guides/none/more', '/docs/errors/none'])(
    'is a page that leads on for people, and an error for programs: %s',
    async (target) => {
      const answer = await request(target, { Accept: 'text/html' });
      expect(answer).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
      assertOneScript(answer.body.toString(), String(answer.headers['content-security-policy']));
      for (const page of ['/docs', '/docs/guides', '/docs/errors'])
        expect(answer.body.toString()).toContain(`href="${page}"`);
      const { status, body } = await request(target, { Accept: '*/*' });
      expect([status, JSON.parse(body.toString())]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
    },
  );
});

describe('OPEN-56: the search', () => {
  it('is a script and a list, below 120 KB compressed, which pages load when somebody searches', async () => {
    const [script, list] = await Promise.all(
      ['/docs/search.js', '/docs/search.json'].map((target) => get(target, { 'Accept-Encoding': 'br' })),
    );
    expect(script?.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8' });
    expect(list?.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
    expect(Number(script?.body.length) + Number(list?.body.length)).toBeLessThan(120_000);
    for (const target of ['/docs', '/docs/guides/files', '/docs/errors'])
      expect((await get(target)).body.toString()).not.toMatch(/<link[^>]+search|src="[^"]*search/);
  });

  it('lists places that exist', async () => {
    const entries = JSON.parse((await get('/docs/search.json')).body.toString()) as { url: string }[];
    const pages = new Map<string, string>();
    for (const { url: target } of entries) {
      const [path = '', anchor] = target.split('#');
      if (!pages.has(path)) pages.set(path, (await get(path)).body.toString());
      if (anchor !== undefined && path !== '/docs')
        expect([target, pages.get(path)?.includes(` id="${anchor}"`)]).toEqual([target, true]);
    }
    expect(entries.length).toBeGreaterThan(400);
  });
});

describe('the guides', () => {
  it('are linked from the resources of the document', () => {
    const known = guides.map(({ name }) => name);
    for (const { guide } of apiResources) if (guide) expect(known).toContain(guide);
  });

  it('are listed by an index, each with its first sentence, in reading order', async () => {
    const page = (await get('/docs/guides')).body.toString();
    const listed = [...page.matchAll(/<li><a href="\/docs\/guides\/([\w-]+)">[^<]+<\/a><p>[^<]{20,}<\/p>/g)];
    expect(listed.map(([, name]) => name)).toEqual(guides.map(({ name }) => name));
  });

  it('are pages whose one script has its hash in the policy, and whose links lead somewhere', async () => {
    for (const { name, title } of guides) {
      const { body, headers } = await get(`/docs/guides/${name}`);
      const page = body.toString();
      expect(page).toContain(html`<title>${title}`.text);
      assertOneScript(page, String(headers['content-security-policy']));
      for (const [, target = ''] of page.matchAll(/href="(\/[^"]*)"/g)) {
        const [path = '', anchor] = target.split('#');
        const linked = (await get(path)).body.toString();
        if (anchor !== undefined) expect([target, linked.includes(`id="${anchor}"`)]).toEqual([target, true]);
      }
    }
  });
});

describe('a page of the reference', () => {
  it('escapes values', () => {
    expect(html`<p title="${'"><script>'}">${"a & b's"}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;">a &amp; b&#39;s</p>',
    );
  });
});

/** A page has one script, which its policy names by its hash, and no handlers or styles in attributes. */
function assertOneScript(page: string, policy: string): void {
  const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script = '']) => script);
  expect(scripts).toHaveLength(1);
  const hash = createHash('sha256')
    .update(scripts[0] ?? '')
    .digest('base64');
  expect(policy).toContain(`default-src 'none'; script-src 'self' 'sha256-${hash}'; `);
  expect(policy).not.toContain('unsafe');
  expect(page.replace(/<(script|style)>[^]*?<\/\1>/g, '')).not.toMatch(/<script|<style| on\w+=| style=/);
}

/** The modules that a browser loads at once; those in `import()` follow when they are needed. */
function staticImports(source: string): string[] {
  return [...source.matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g)].map(([, path]) => path as string);
}
