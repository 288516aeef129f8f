import { describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { JsonSchema, PublicOperation } from '@vaultsvc/contracts';
import * as auth from '@vaultsvc/contracts/auth';
import { operationIdOf, operations } from '@vaultsvc/contracts/catalog';
import * as notify from '@vaultsvc/contracts/notify';
import * as sparks from '@vaultsvc/contracts/sparks';
import * as vaults from '@vaultsvc/contracts/vaults';
import { useVaultOfBody } from '../../testing/test-operations.js';
import { apiResources, resourceOf } from '../operations/api-resources.js';
import { openApiOf } from './openapi.js';

interface Content {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}
interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
  readonly content?: Readonly<Record<string, Content>>;
}
interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema?: JsonSchema;
  }[];
  readonly requestBody?: {
    readonly description: string;
    readonly required: boolean;
    readonly content: { readonly 'application/json': Content };
  };
  readonly responses: Readonly<Record<string, Response>>;
}
interface OpenApi {
  readonly tags: readonly { readonly name: string }[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly webhooks: Readonly<Record<string, object>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

const options = {
  version: '1.2.3',
  origin: 'https://api.vaultsvc.test',
  linkOrigins: ['https://link.vaultsvc.test', 'https://files.vaultsvc.test'],
  forgeOrigin: 'https://forge.vaultsvc.test',
};
const openApi = openApiOf(operations, options) as OpenApi;
const described = ({ http }: PublicOperation, document = openApi) =>
  document.paths[http.path]?.[http.method.toLowerCase()] as OperationObject;
const schemaNamed = (name: string) => openApi.components.schemas[name] as JsonSchema;
const bodyOf = (op: PublicOperation) => described(op).requestBody?.content['application/json'];

describe('MISC-02: the OpenAPI document', () => {
  it('passes the recommended rules of redocly without a warning', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(openApi), config });
    expect(
      problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer ?? ''}`),
    ).toEqual([]);
  });

  it('names every operation like the function that declares it', () => {
    const ids = operations.map((op) => described(op).operationId);
    expect(new Set(ids).size).toBe(operations.length);
    expect(ids).toEqual(operations.map(operationIdOf));
    expect(operationIdOf(sparks.createSpark)).toBe('createSpark');
    expect(operationIdOf(useVaultOfBody)).toMatch(/^[a-z][A-Za-z]+$/);
  });

  it('has one tag for the resource of each operation, in reading order, starting with the caller', () => {
    for (const op of operations) expect([op.name, resourceOf(op.http.path)?.name]).not.toContain(undefined);
    expect(openApi.tags.map(({ name }) => name)).toEqual(apiResources.map(({ name }) => name));
    const [first] = Object.keys(openApi.paths);
    expect(first).toBe('/v1/me');
    expect(openApi['x-tagGroups'].map(({ name }) => name)).toEqual([
      'Start',
      'Sparks',
      'Links',
      'Vaults',
      'Files',
      'Structured',
      'Entropy',
      'Notify',
      'Audit',
      'Billing',
      'Integrations',
    ]);
  });

  it('refers to named schemas, and describes what every page has once', () => {
    for (const name of ['Spark', 'Vault', 'Ingot', 'SparkLink', 'Page', 'Error'])
      expect(openApi.components.schemas).toHaveProperty(name);
    expect(bodyOf(sparks.createSpark)?.schema).toEqual({ $ref: '#/components/schemas/NewSpark' });
    expect(schemaNamed('SparkList').allOf).toMatchObject([
      { properties: { sparks: { items: { $ref: '#/components/schemas/Spark' } } } },
      { $ref: '#/components/schemas/Page' },
    ]);
    expect(
      JSON.stringify(openApi.components.schemas).match(/"\$ref":"#\/components\/schemas\/\w+"/g),
    ).not.toHaveLength(0);
  });

  it('refuses two contract classes of one name', () => {
    class NewSpark {}
    const impostor = { ...vaults.createVault, body: NewSpark } as unknown as PublicOperation;
    expect(() => openApiOf([sparks.createSpark, impostor], options)).toThrow('named NewSpark');
  });

  it('lists the codes of errors as an enum, and an example for each reason', () => {
    expect(schemaNamed('ErrorCode').enum).toContain('QUOTA_EXCEEDED');
    const { examples } = described(sparks.readSpark).responses['403']?.content?.['application/json'] ?? {};
    expect(Object.keys(examples ?? {})).toEqual(expect.arrayContaining(['SPARK_BURNED', 'SPARK_EXPIRED']));
    expect(openApi.components.examples['SPARK_BURNED']?.value).toMatchObject({
      error: {
        code: 'FORBIDDEN',
        message: 'This Spark has been burned.',
        details: { reason: 'SPARK_BURNED' },
      },
    });
  });

  it('ENV-35 ENV-44: lists the headers of responses', () => {
    const { responses } = described(sparks.createSpark);
    expect(Object.keys(responses['201']?.headers ?? {})).toEqual(
      expect.arrayContaining([
        'X-Request-Id',
        'RateLimit',
        'RateLimit-Policy',
        'X-Ignored',
        'Idempotent-Replayed',
      ]),
    );
    expect(Object.keys(responses['429']?.headers ?? {})).toEqual(
      expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After']),
    );
    expect(responses['401']?.headers).toHaveProperty('WWW-Authenticate');
  });

  it('FRG-02 FRG-20: describes Forge at its origin, and the webhook that notifications are sent to', () => {
    expect(openApi.paths['/encrypt']).toMatchObject({ servers: [{ url: options.forgeOrigin }] });
    expect(openApi.paths['/{upload_id}']).toMatchObject({
      servers: [{ url: `${options.forgeOrigin}/encrypt` }],
    });
    expect(openApi.paths['/decrypt']?.['get']?.responses).toHaveProperty('206');
    expect(openApi.webhooks).toHaveProperty('notification');
  });

  it('contains no requirement ids', () => {
    expect(
      JSON.stringify(openApi).match(/[^"]*\b(?:[A-Z]{3,5}-\d\d|TRAP \d+|[a-z]+\.md|§)\b[^"]*/),
    ).toBeNull();
  });
});

describe('AMB-03: names of one thing', () => {
  const named = Object.entries(openApi.components.schemas).map(([name, { properties = {}, allOf = [] }]) => ({
    name,
    properties: { ...properties, ...allOf[0]?.properties },
    isPage: allOf.some(({ $ref }) => $ref === '#/components/schemas/Page'),
  }));

  it('ENV-13: include next_cursor in the answer of every list that has pages', () => {
    const replies = operations.filter(({ cursor }) => cursor).map(({ reply }) => reply?.name);
    const lists = named.filter(({ name }) => replies.includes(name));
    expect(lists.length).toBeGreaterThan(10);
    for (const { name, properties, isPage } of lists)
      expect([name, isPage || 'next_cursor' in properties]).toEqual([name, true]);
  });

  it.each([
    ['LinkList', 'cursor', 'next_cursor'],
    ['DvakPage', 'cursor', 'next_cursor'],
    ['SharedSpark', 'share_url', 'link_url'],
    ['SparkShare', 'share_url', 'link_url'],
    ['IngotSharing', 'public_url', 'link_url'],
  ])('are both in %s, where %s is marked as the older one', (schema, older, common) => {
    const { properties = {} } = schemaNamed(schema);
    expect(properties[older]).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(`The older name of \`${common}\`.`),
    });
    expect(properties[common]).not.toHaveProperty('deprecated');
  });

  it('leave no other answer with a former name alone', () => {
    for (const { name, properties } of named)
      if ('share_url' in properties || 'public_url' in properties)
        expect([name, 'link_url' in properties]).toEqual([name, true]);
  });
});

describe('OPEN-22 OPEN-23: operations of link pages', () => {
  it('are placed, with Forge and no others, on other origins', () => {
    const ofLinks = operations.filter(({ http }) => http.surface === 'links');
    const elsewhere = Object.entries(openApi.paths).filter(
      ([, path]) => 'servers' in path && JSON.stringify(path['servers']).includes('link.'),
    );
    expect(elsewhere.map(([path]) => path).sort()).toEqual(ofLinks.map(({ http }) => http.path).sort());
  });

  it('OPEN-25: list aliases, the optional session, and the refusal of other origins', () => {
    const { description, security, responses } = described(sparks.openLink);
    expect(description).toContain('The same at POST /{link_code}/open.');
    expect(security).toEqual([{}, { bearer: [] }]);
    expect(responses['403']?.description).toContain('Pages of other origins cannot open links.');
    expect(responses['401']?.description).toContain('AUTHENTICATION_ERROR');
  });
});

describe('OPEN-56 AUTH-28: session operations', () => {
  const sessionOperations = operations.filter(({ session }) => session !== undefined);

  it('AUTH-28: list X-VK-Client and the effect of a success on the cookie', () => {
    expect(sessionOperations.map(({ name }) => name).sort()).toEqual([
      'auth.accept-invitation',
      'auth.complete-signup',
      'auth.end-session',
      'auth.exchange-code',
      'auth.refresh-session',
      'auth.verify-identity',
    ]);
    for (const op of sessionOperations) {
      const { parameters, responses } = described(op);
      expect(parameters).toContainEqual(
        expect.objectContaining({ name: 'X-VK-Client', in: 'header', required: false }),
      );
      expect(responses[op.http.status]?.headers?.['Set-Cookie']?.description).toContain('__Host-vk_refresh');
      expect(responses['403']?.description).toContain('Pages of this origin may not use browser sessions.');
    }
  });

  it('AUTH-14: list the cookie only where it is read', () => {
    for (const op of operations) {
      const { parameters, responses } = described(op);
      const isRead = op.session === 'renews' || op.session === 'ends';
      const cookies = parameters.filter((parameter) => parameter.in === 'cookie').map(({ name }) => name);
      expect(cookies).toEqual(isRead ? ['__Host-vk_refresh'] : []);
      if (!op.session) expect(responses[op.http.status]?.headers).not.toHaveProperty('Set-Cookie');
    }
  });

  it('AUTH-13 OPEN-59: make the body of a renewal optional and list both kinds of 401', () => {
    const { requestBody, responses } = described(auth.refreshSession);
    expect(requestBody?.required).toBe(false);
    expect(described(auth.exchangeCode).requestBody?.required).toBe(true);
    expect(responses['401']?.description).toMatch(/AUTHENTICATION_ERROR: .*TOKEN_REPLAY: /);
  });
});

describe('MISC-02: schemas and parameters', () => {
  it('ENV-03: have formats, nullable objects, open objects and closed bodies as they are validated', () => {
    expect(schemaNamed('Invitation').properties?.['email']).toMatchObject({
      type: 'string',
      format: 'email',
    });
    expect(schemaNamed('AccountChange').properties?.['logo_url_dark']).toMatchObject({
      type: ['string', 'null'],
      format: 'uri',
    });
    expect(schemaNamed('AccountSettings').properties?.['settings']).toMatchObject({ type: 'object' });
    expect(schemaNamed('AuthorizationCode')).toMatchObject({ additionalProperties: false });
    expect(schemaNamed('RefreshedSession').properties?.['user']).toMatchObject({
      oneOf: [{ $ref: '#/components/schemas/SessionUser' }, { type: 'null' }],
    });
  });

  it('ENT-02 STR-07 SPK-02: state the default of an optional field', () => {
    const limit = described(vaults.listStructured).parameters.find(({ name }) => name === 'limit');
    expect(limit?.schema).toMatchObject({ maximum: 500, default: 100 });
    expect(schemaNamed('EntropyRequest').properties).toMatchObject({ format: { default: 'hex' } });
    expect(schemaNamed('NewSpark').properties?.['ttl_minutes']).toMatchObject({ default: 1_440 });
  });

  it('STR-02 STR-03 STR-12: describe maps by the schema of their values', () => {
    expect(schemaNamed('NewStructured').properties?.['data']).toMatchObject({
      maxProperties: 10_000,
      additionalProperties: true,
    });
    expect(schemaNamed('StructuredReading').properties?.['values']).toMatchObject({
      additionalProperties: { $ref: '#/components/schemas/StructuredValue' },
    });
    expect(schemaNamed('StructuredReading').required).toEqual(['ingot_id']);
  });

  it('ENT-05 ENT-13: describe random data as a string or a list of bytes', () => {
    expect(schemaNamed('Entropy').properties?.['value']).toMatchObject({
      type: ['string', 'array'],
      items: { minimum: 0, maximum: 255 },
    });
  });

  it('name every path parameter, and an error 500, of every operation', () => {
    for (const op of operations) {
      const inPath = [...op.http.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const { parameters, responses } = described(op);
      expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(inPath);
      expect(responses['500']?.description).toContain('INTERNAL_ERROR');
      expect(responses).toHaveProperty(String(op.http.status));
    }
  });

  it('start with a Spark of few words, whose answer has its size', () => {
    expect(bodyOf(sparks.createSpark)?.example).toEqual({ payload: 'correct horse battery staple' });
  });
});

describe('VAT-02: operations with a vault token', () => {
  const withToken = operations.filter(({ access }) => access.vat);

  it('OPEN-64: name its security scheme, beside the caller; and calls without it where the body may name a vault', () => {
    for (const op of withToken) {
      const { security } = described(op);
      expect([op.name, security.some((set) => !('vaultAccessToken' in set))]).toEqual([
        op.name,
        op.access.vatOf !== undefined,
      ]);
    }
    const document = openApiOf([useVaultOfBody], options) as OpenApi;
    const { security, description, responses, requestBody } = described(useVaultOfBody, document);
    expect(security).toEqual([
      { apiKey: [] },
      { bearer: [] },
      { apiKey: [], vaultAccessToken: [] },
      { bearer: [], vaultAccessToken: [] },
    ]);
    expect(description).toContain('A Vault Access Token that may write, if the body has source.vault_id.');
    expect(responses['404']?.description).toContain('NOT_FOUND');
    expect(requestBody?.description).not.toContain('before the body is read');
    expect(described(notify.sendNotification).security).toHaveLength(4);
  });

  it('VAT-08: list VAT_READ_ONLY for writing operations only', () => {
    for (const op of withToken) {
      const refusal = described(op).responses['403']?.description;
      expect([op.name, refusal?.includes('may read only')]).toEqual([op.name, op.access.vat === 'write']);
    }
  });

  it('VAT-03 VAT-05: list expired and foreign tokens', () => {
    for (const op of withToken) {
      const refusal = described(op).responses['403']?.description;
      for (const says of ['Token has expired', 'Token is not for this vault'])
        expect([op.name, refusal?.includes(says)]).toEqual([op.name, true]);
    }
  });

  it('STR-18 STR-24: list the 400 of a missing token for each structured route, and the refusals of the pools for a reading', () => {
    const ofStructured = operations.filter(({ access }) => access.vatMissing !== undefined);
    expect(ofStructured).toHaveLength(5);
    for (const op of ofStructured)
      expect(described(op).responses['400']?.description).toContain('VALIDATION_ERROR');
    expect(described(vaults.readStructured).responses['402']?.description).toMatch(
      /PLAN_REQUIRED[^]*QUOTA_EXCEEDED/,
    );
    expect(described(vaults.listStructured).responses).not.toHaveProperty('402');
  });

  it('OPEN-20 DVK-18: list an error that only some calls of an operation get', () => {
    expect(described(vaults.updateVault).responses['403']?.description).toContain(
      'needs the admin or owner role',
    );
    expect(described(vaults.revokeDvak).responses['400']?.description).toContain('The request is not valid');
  });
});

describe('the limits of a body', () => {
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
  ])('are stated %s', (_, op, sentence) => {
    expect(described(op).requestBody?.description).toBe(sentence);
  });

  it('ENV-44: go with the refusals for bytes in flight and busy resources', () => {
    const { 429: tooMany } = described(sparks.createSpark).responses;
    expect(tooMany?.description).toMatch(/in this minute[^]*same resource[^]*bodies are in flight/);
    expect(described(sparks.readSpark).responses['429']?.description).not.toContain('in flight');
  });
});
