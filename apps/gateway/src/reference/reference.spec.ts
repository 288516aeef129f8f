import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { decode, schemaOf, type JsonSchema, type PublicOperation } from '@vaultsvc/contracts';
import * as auth from '@vaultsvc/contracts/auth';
import { operations } from '@vaultsvc/contracts/catalog';
import * as sparks from '@vaultsvc/contracts/sparks';
import * as vaults from '@vaultsvc/contracts/vaults';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import {
  assertHeaders,
  UNREACHED_LIMIT,
  send,
  retryRateLimited,
  withoutLimits,
} from '@vaultsvc/testing/http';

import { gateway } from '../service-definition.js';
import { operationSection, typeText } from './docs-operation.js';
import { useVaultOfBody } from '../testing/test-operations.js';
import { html } from './html.js';
import { openApiOf } from './openapi.js';
import { exampleOf } from './schema-example.js';

interface Described {
  readonly description: string;
  readonly headers?: Record<string, { description: string }>;
  readonly content?: { 'application/json': { schema: JsonSchema } };
}
interface OpenApi {
  readonly openapi: string;
  readonly servers: { url: string }[];
  readonly paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        description?: string;
        security?: object[];
        parameters: { name: string; in: string; required: boolean }[];
        requestBody?: {
          description: string;
          required: boolean;
          content: { 'application/json': { schema: JsonSchema } };
        };
        responses: Record<string, Described>;
      }
    >
  >;
}

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
    }),
  );
});

const get = async (target: string) => {
  const answer = await retryRateLimited(
    () => send(url, { method: 'GET', target }),
    ({ status }) => status === 429,
  );
  assertHeaders(answer);
  expect(answer.status).toBe(200);
  expect(answer.headers['cache-control']).toBe('public, max-age=300');
  return answer;
};

describe('OPEN-56: /v1/openapi.json, without credential and envelope,', () => {
  it('MISC-02: describes every operation of the catalogue at the configured origin', async () => {
    const document = JSON.parse((await get('/v1/openapi.json')).body.toString()) as OpenApi;
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://api.example.test' }] });
    const described = Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
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

describe('OPEN-22 OPEN-23 MISC-02: the reference of link page operations', () => {
  const ofLinks = operations.filter(({ http }) => http.surface === 'links');

  it('places them, and no others, on the origins of link pages', async () => {
    const { paths } = JSON.parse((await get('/v1/openapi.json')).body.toString()) as OpenApi;
    const elsewhere = Object.entries(paths).filter(([, path]) => 'servers' in path);
    expect(elsewhere.map(([path]) => path).sort()).toEqual(ofLinks.map(({ http }) => http.path).sort());
    for (const [, path] of elsewhere)
      expect(path['servers']).toMatchObject([
        { url: 'https://links.example.test' },
        { url: 'https://files.example.test' },
      ]);
  });

  it('OPEN-25: lists aliases, the optional session, and the refusal of other origins', async () => {
    const { paths } = JSON.parse((await get('/v1/openapi.json')).body.toString()) as OpenApi;
    const { description, security, responses } = paths['/{link_code}/burn']?.['post'] ?? {};
    expect(description).toBe('The same at POST /{link_code}/open.');
    expect(security).toEqual([{}, { bearer: [] }]);
    expect(responses?.['403']?.description).toContain('Pages of other origins cannot open links.');
    expect(responses?.['401']?.description).toContain('AUTHENTICATION_ERROR');
  });

  it('shows in /docs their origins and an example on one of them', async () => {
    const page = (await get('/docs')).body.toString();
    const section = page.slice(page.indexOf('id="sparks-open-link"')).split('</section>')[0];
    expect(section).toContain('<code>https://files.example.test</code>');
    expect(section).toContain('POST /{link_code}/open');
    expect(section).toMatch(/curl -X POST https:\/\/links\.example\.test\/\w+\/burn/);
    expect(section).not.toContain('Authorization');
  });
});

describe('OPEN-56 AUTH-28: the reference of session operations', () => {
  const described = async ({ http }: PublicOperation) => {
    const { paths } = JSON.parse((await get('/v1/openapi.json')).body.toString()) as OpenApi;
    return paths[http.path]?.[http.method.toLowerCase()];
  };
  const sessionOperations = operations.filter(({ session }) => session !== undefined);

  it('AUTH-28: lists X-VK-Client and the effect of a success on the cookie', async () => {
    expect(sessionOperations.map(({ name }) => name).sort()).toEqual([
      'auth.accept-invitation',
      'auth.complete-signup',
      'auth.end-session',
      'auth.exchange-code',
      'auth.refresh-session',
      'auth.verify-identity',
    ]);
    for (const op of sessionOperations) {
      const { parameters, responses } = (await described(op)) ?? {};
      expect(parameters).toContainEqual(
        expect.objectContaining({ name: 'X-VK-Client', in: 'header', required: false }),
      );
      const success = responses?.[op.http.status];
      expect(success?.headers?.['Set-Cookie']?.description).toContain('__Host-vk_refresh');
      expect(responses?.['403']?.description).toContain('Pages of this origin may not use browser sessions.');
    }
  });

  it('AUTH-14: lists the cookie only where it is read', async () => {
    for (const op of operations) {
      const names = (await described(op))?.parameters.filter((parameter) => parameter.in === 'cookie');
      const isRead = op.session === 'renews' || op.session === 'ends';
      expect(names?.map(({ name }) => name)).toEqual(isRead ? ['__Host-vk_refresh'] : []);
      if (!op.session) expect((await described(op))?.responses[op.http.status]?.headers).toBeUndefined();
    }
  });

  it('AUTH-13 OPEN-59: makes the body of a renewal optional and lists both kinds of 401', async () => {
    const { requestBody, responses } = (await described(auth.refreshSession)) ?? {};
    expect(requestBody?.required).toBe(false);
    expect((await described(auth.exchangeCode))?.requestBody?.required).toBe(true);
    expect(responses?.['401']?.description).toMatch(/AUTHENTICATION_ERROR: .*TOKEN_REPLAY: /);
  });

  it('ENV-03: describes formats, nullable objects, open objects and closed bodies as they are validated', async () => {
    const body = async (op: PublicOperation) =>
      (await described(op))?.requestBody?.content['application/json'].schema;
    const email = (await body(auth.inviteUser))?.properties?.['email'];
    expect(email).toMatchObject({ type: 'string', format: 'email' });
    const logo = (await body(auth.updateAccount))?.properties?.['logo_url_dark'];
    expect(logo).toMatchObject({ type: ['string', 'null'], format: 'uri' });
    expect((await body(auth.updateSettings))?.properties?.['settings']).toMatchObject({ type: 'object' });
    expect(await body(auth.exchangeCode)).toMatchObject({ additionalProperties: false });
    const envelope = (await described(auth.refreshSession))?.responses['200']?.content?.['application/json'];
    expect(envelope?.schema.properties?.['data']?.properties?.['user']).toMatchObject({
      type: ['object', 'null'],
      required: ['user_id', 'email', 'name', 'role'],
    });
  });

  it('MISC-02: has examples that fit their contracts', () => {
    for (const { body, reply } of operations) {
      for (const type of [body, reply]) if (type) decode(type, exampleOf(schemaOf(type)));
    }
  });

  it('ENT-02 STR-07 SPK-02: states the default of an optional field', async () => {
    const query = (await described(vaults.listStructured))?.parameters as {
      name: string;
      schema?: JsonSchema;
    }[];
    expect(query.find(({ name }) => name === 'limit')?.schema).toMatchObject({ maximum: 500, default: 100 });
    const body = async (op: PublicOperation) =>
      (await described(op))?.requestBody?.content['application/json'].schema.properties;
    expect(await body(sparks.generateEntropy)).toMatchObject({ format: { default: 'hex' } });
    expect((await body(sparks.createSpark))?.['ttl_minutes']).toMatchObject({ default: 1_440 });
    expect(typeText({ type: 'integer', minimum: 1, maximum: 5, default: 3 })).toBe(
      'integer, 1 to 5; 3 unless said',
    );
    const page = (await get('/docs')).body.toString();
    expect(page).toContain('integer, 1 to 500; 100 unless said');
  });

  it('VAT-08: lists VAT_READ_ONLY for writing operations only', async () => {
    for (const op of operations.filter(({ access }) => access.vat)) {
      const refusal = (await described(op))?.responses['403']?.description;
      expect([op.name, refusal?.includes('may read only')]).toEqual([op.name, op.access.vat === 'write']);
    }
  });

  it('OPEN-64: lists an optional token header where the body may name a vault, and a required one elsewhere', async () => {
    for (const op of operations.filter(({ access }) => access.vat)) {
      const header = (await described(op))?.parameters.find(({ name }) => name === 'X-Vault-Access-Token');
      expect([op.name, header?.required]).toEqual([op.name, op.access.vatOf === undefined]);
    }
    const options = { version: '1', origin: 'https://api.example.test', linkOrigins: [] };
    const { paths } = openApiOf([useVaultOfBody], options) as OpenApi;
    const { parameters, responses, requestBody } = paths['/v1/sourced-widgets']?.['post'] ?? {};
    expect(parameters).toEqual([
      {
        name: 'X-Vault-Access-Token',
        in: 'header',
        required: false,
        description: 'A Vault Access Token of the vault in source.vault_id; required with this field only.',
        schema: { type: 'string' },
      },
    ]);
    expect(responses?.['404']?.description).toContain('NOT_FOUND');
    expect(requestBody?.description).not.toContain('before the body is read');
    const section = operationSection(useVaultOfBody, options).text;
    expect(section).toContain('A Vault Access Token that may write, if the body has source.vault_id.');
    expect(section).not.toContain('$VAT');
  });

  it('VAT-03 VAT-05: lists expired and foreign tokens for every operation with a vault token', async () => {
    for (const op of operations.filter(({ access }) => access.vat)) {
      const refusal = (await described(op))?.responses['403']?.description;
      for (const says of ['Token has expired', 'Token is not for this vault'])
        expect([op.name, refusal?.includes(says)]).toEqual([op.name, true]);
    }
  });

  it('OPEN-20 DVK-18: lists an error that only some calls of an operation get', async () => {
    const told = async (op: PublicOperation, status: string) =>
      (await described(op))?.responses[status]?.description;
    expect(await told(vaults.updateVault, '403')).toContain('needs the admin or owner role');
    expect(await told(vaults.revokeDvak, '400')).toContain('The request is not valid');
  });

  it('contains no requirement ids', async () => {
    const document = (await get('/v1/openapi.json')).body.toString();
    expect(document.match(/[^"]*\b(?:[A-Z]{3,5}-\d\d|TRAP \d+|[a-z]+\.md|§)\b[^"]*/)).toBeNull();
  });

  it('shows in /docs header, cookie and types in words', async () => {
    const page = (await get('/docs')).body.toString();
    const section = (op: PublicOperation) =>
      page.slice(page.indexOf(`id="${op.name.replace('.', '-')}"`)).split('</section>')[0];
    for (const said of ['X-VK-Client', '__Host-vk_refresh', 'set as the cookie', 'TOKEN_REPLAY'])
      expect(section(auth.refreshSession)).toContain(said);
    expect(section(auth.inviteUser)).toContain('e-mail address, at most 254 characters');
    expect(section(auth.updateAccount)).toContain('https URL, at most 2048 characters or null');
    expect(section(auth.updateSettings)).toContain('object of any keys');
    expect(typeText({ type: ['integer', 'null'], minimum: 1, maximum: 5 })).toBe('integer, 1 to 5 or null');
    expect(typeText({ type: ['string', 'null'], enum: ['a', 'b', null] })).toBe('a | b or null');
  });
});

describe('OPEN-19 ENT-13 MISC-02: the reference of maps, name lists and values of two types', () => {
  const described = async ({ http }: PublicOperation) => {
    const { paths } = JSON.parse((await get('/v1/openapi.json')).body.toString()) as OpenApi;
    return paths[http.path]?.[http.method.toLowerCase()];
  };
  const dataOf = async (op: PublicOperation) =>
    (await described(op))?.responses['200']?.content?.['application/json'].schema.properties?.['data'];
  const sectionOf = async ({ name }: PublicOperation) => {
    const page = (await get('/docs')).body.toString();
    return page.slice(page.indexOf(`id="${name.replace('.', '-')}"`)).split('</section>')[0] ?? '';
  };

  it('STR-02 STR-03: allows at most 10,000 keys of any name, with values of any type', async () => {
    const body = (await described(vaults.createStructured))?.requestBody?.content['application/json'].schema;
    expect(body?.properties?.['data']).toMatchObject({ maxProperties: 10_000, additionalProperties: true });
    const section = await sectionOf(vaults.createStructured);
    expect(section).toContain('object of at most 10000 keys');
    expect(section).toContain(
      html`${'{"name":"name","data":{"db_password":"correct horse battery staple"}}'}`.text,
    );
    expect(await sectionOf(vaults.updateStructured)).toContain('array of strings, at most 10000');
  });

  it('STR-09 STR-12: describes both replies of a reading, and that each value is in a Spark', async () => {
    const data = await dataOf(vaults.readStructured);
    expect(data?.required).toEqual(['ingot_id']);
    expect(data?.properties?.['values']?.additionalProperties).toEqual(schemaOf(vaults.StructuredValue));
    expect(exampleOf(data as JsonSchema)).toMatchObject({
      keys: ['db_password'],
      values: { db_password: { spark_id: expect.stringMatching(/^spk_/), expires_at: 1_790_000_000 } },
      missing_keys: ['api_token'],
    });
    const section = await sectionOf(vaults.readStructured);
    expect(section).toMatch(/Not in every answer[^]*Without \?keys=[^]*With \?keys=/);
  });

  it('STR-08: shows null for a field that is always null in a list', async () => {
    const { ingots } = exampleOf((await dataOf(vaults.listStructured)) as JsonSchema) as { ingots: object[] };
    expect(ingots).toMatchObject([{ version: null, key_count: null }]);
  });

  it('ENT-05 ENT-13: describes random data as a string or a list of bytes, with an example of one call', async () => {
    const data = await dataOf(sparks.generateEntropy);
    const value = data?.properties?.['value'] as JsonSchema;
    expect(value).toMatchObject({ type: ['string', 'array'], items: { minimum: 0, maximum: 255 } });
    expect(typeText(value)).toBe('string or array');
    expect(exampleOf(data as JsonSchema)).toMatchObject({
      value: expect.stringMatching(/^[0-9a-f]{64}$/),
      format: 'hex',
      num_bytes: 32,
    });
  });

  it('STR-18 STR-24: lists the 400 of a missing token for each route, and for a reading the refusals of the pools', async () => {
    const ofStructured = operations.filter(({ access }) => access.vatMissing !== undefined);
    expect(ofStructured).toHaveLength(5);
    for (const op of ofStructured)
      expect((await described(op))?.responses['400']?.description).toContain('VALIDATION_ERROR');
    expect((await described(vaults.readStructured))?.responses['402']?.description).toMatch(
      /PLAN_REQUIRED[^]*QUOTA_EXCEEDED/,
    );
    expect((await described(vaults.listStructured))?.responses).not.toHaveProperty('402');
  });

  it('describes other types as before', () => {
    expect(typeText({ type: 'integer', minimum: 1 })).toBe('integer, at least 1');
    expect(typeText({ type: 'array', items: { type: 'object' } })).toBe('array of objects');
    expect(typeText({ type: ['object', 'null'] })).toBe('object of any keys or null');
    expect(exampleOf({ type: 'object' })).toEqual({ key: 'value' });
  });
});

describe('the limits of a body in the reference', () => {
  const described = async ({ http }: PublicOperation) => {
    const { paths } = JSON.parse((await get('/v1/openapi.json')).body.toString()) as OpenApi;
    return paths[http.path]?.[http.method.toLowerCase()];
  };

  it.each([
    [
      'AMB-13 OPEN-06: with the check of the token before it where it may have more than 256 KiB',
      vaults.createStructured,
      'At most 7 MiB and 65,536 of the characters { [ : , outside strings. The Vault Access Token is checked before the body is read.',
    ],
    [
      'OPEN-06: without a token',
      sparks.createSpark,
      'At most 2 MiB and 8,192 of the characters { [ : , outside strings.',
    ],
    [
      'OPEN-06: in KiB',
      auth.refreshSession,
      'At most 64 KiB and 8,192 of the characters { [ : , outside strings.',
    ],
  ])('are stated %s', async (_, op, sentence) => {
    expect((await described(op))?.requestBody?.description).toBe(sentence);
    expect((await get('/docs')).body.toString()).toContain(html`${sentence}`.text);
  });

  it('ENV-44: go with the refusals for bytes in flight and busy resources, which have Retry-After', async () => {
    const { 429: tooMany } = (await described(sparks.createSpark))?.responses ?? {};
    expect(tooMany?.description).toMatch(/in this minute[^]*same resource[^]*bodies are in flight/);
    expect(tooMany?.headers).toHaveProperty('Retry-After');
    expect((await described(sparks.readSpark))?.responses['429']?.description).not.toContain('in flight');
  });
});

describe("OPEN-10: a request for the reference counts on the caller's address", () => {
  it('in the same window as other calls without an account', async () => {
    for (const target of ['/v1/openapi.json', '/docs']) {
      expect((await get(target)).headers['ratelimit-policy']).toBe(`"address";q=${UNREACHED_LIMIT};w=60`);
    }
  });
});

describe('/docs', () => {
  it.each(['style', 'script'])('allows its own %s by the hash of its bytes in the page', async (tag) => {
    const answer = await get('/docs');
    const [, source = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(answer.body.toString()) ?? [];
    const hash = createHash('sha256').update(source).digest('base64');
    expect(source.trim()).not.toBe('');
    expect(answer.headers['content-security-policy']).toContain(`${tag}-src 'sha256-${hash}'`);
  });

  it('shows every operation, and allows only its own style and script', async () => {
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
    expect(page).not.toMatch(/https?:\/\/(?!(?:api|links|files)\.example\.test|example\.com\/)/);
    expect(page).not.toMatch(/ on\w+=| style=/);
  });

  it('escapes values', () => {
    expect(html`<p title="${'"><script>'}">${"a & b's"}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;">a &amp; b&#39;s</p>',
    );
  });
});
