import {
  schemaOf,
  type Access,
  type Class,
  type JsonSchema,
  type PublicOperation,
} from '@vaultsvc/contracts';
import { needsCredential } from '../access/assert-access.js';
import {
  aliasSentence,
  bodySentence,
  cookieSentence,
  errorsOf,
  isLinkOperation,
  sessionParameters,
} from './operation-documentation.js';
import { exampleOf } from './schema-example.js';

export interface ReferenceOptions {
  readonly version: string;
  /** Origin of the API. */
  readonly origin: string;
  /** Origins of link pages and of file pages. */
  readonly linkOrigins: readonly string[];
}

/** The OpenAPI 3.1 document of these operations, from the same contracts by which the gateway routes. */
export function openApiOf(
  operations: readonly PublicOperation[],
  { version, origin, linkOrigins }: ReferenceOptions,
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const op of operations) {
    const path = (paths[op.http.path] ??= isLinkOperation(op) ? { servers: linkServers(linkOrigins) } : {});
    path[op.http.method.toLowerCase()] = operationObject(op);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'vaultsvc API',
      version,
      description:
        'Encrypted secrets and encrypted storage. Every answer is an envelope: data and meta, or error and meta.',
    },
    servers: [{ url: origin }],
    paths,
    components: { schemas: { Meta: metaSchema, Error: errorSchema }, securitySchemes },
  };
}

/** Overrides the document's server: link pages have their own origins (OPEN-22). */
function linkServers([link, files]: readonly string[]): object[] {
  return [
    { url: link, description: 'Links of Sparks, and one-time links of ingots.' },
    { url: files, description: 'Durable shares of ingots.' },
  ];
}

function operationObject(op: PublicOperation): object {
  const { name, service, summary, body, params, query, access } = op;
  const aliases = aliasSentence(op);
  return {
    operationId: name,
    tags: [service],
    summary,
    ...(aliases && { description: aliases }),
    security: securityOf(op),
    parameters: [
      ...parametersOf(params, 'path'),
      ...parametersOf(query, 'query'),
      ...(access.vat ? [vatHeader(access)] : []),
      ...(access.headers ?? []).map(signatureHeader),
      ...sessionParameters(op),
    ],
    ...(body && { requestBody: requestBodyOf(op, schemaOf(body)) }),
    responses: { ...successOf(op), ...errorResponsesOf(op) },
  };
}

function securityOf(op: PublicOperation): object[] {
  if (op.access.credential === 'optional') return [{}, { bearer: [] }];
  if (!needsCredential(op)) return [];
  const { credential } = op.access;
  return credential === 'key' || credential === 'any' ? [{ apiKey: [] }, { bearer: [] }] : [{ bearer: [] }];
}

function parametersOf(type: Class<object> | undefined, place: 'path' | 'query'): object[] {
  if (!type) return [];
  const { properties, required } = schemaOf(type) as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || (required?.includes(name) ?? false),
    ...(description !== undefined && { description }),
    schema,
  }));
}

/** An empty body stands for `{}`, so the body is optional where no field is required. */
function requestBodyOf(op: PublicOperation, schema: JsonSchema): object {
  const required = schema.required !== undefined;
  return { description: bodySentence(op), required, content: jsonContent(schema) };
}

function successOf(op: PublicOperation): object {
  const { status } = op.http;
  const description = cookieSentence(op);
  const headers = description && { headers: { 'Set-Cookie': { description, schema: text } } };
  return { [status]: { ...successBodyOf(op), ...headers } };
}

function successBodyOf({ http: { status }, reply, bare }: PublicOperation): object {
  if (status === 204) return { description: 'Done. There is no body.' };
  const data = reply ? schemaOf(reply) : { type: 'object' };
  if (bare) return { description: 'Success, without envelope.', content: jsonContent(data) };
  const meta = { $ref: '#/components/schemas/Meta' };
  const envelope = {
    type: 'object',
    required: ['data', 'meta'],
    properties: { data: { ...data, examples: [exampleOf(data)] }, meta },
  };
  return { description: 'Success.', content: jsonContent(envelope) };
}

/** One response per status; its description lists each code with its message. */
function errorResponsesOf(op: PublicOperation): object {
  const errors = errorsOf(op);
  const content = jsonContent({ $ref: '#/components/schemas/Error' });
  const responses = [...new Set(errors.map(({ status }) => status))].map((status) => {
    const sentences = errors
      .filter((error) => error.status === status)
      .map(({ code, message }) => `${code}: ${message}`);
    const headers = status === 429 && { headers: { 'Retry-After': retryAfter } };
    return [status, { description: sentences.join(' '), ...headers, content }];
  });
  return Object.fromEntries(responses) as object;
}

function jsonContent(schema: JsonSchema): object {
  return { 'application/json': { schema } };
}

/** A header that a provider's signature is in or covers. */
function signatureHeader(name: string): object {
  return { name, in: 'header', required: true, description: 'Set by the provider.', schema: text };
}

function vatHeader({ vatOf }: Access): object {
  const description =
    vatOf === undefined
      ? 'A Vault Access Token of this vault.'
      : `A Vault Access Token of the vault in ${vatOf}; required with this field only.`;
  return {
    name: 'X-Vault-Access-Token',
    in: 'header',
    required: vatOf === undefined,
    description,
    schema: text,
  };
}

const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Full access to the account.' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a session.',
  },
};

const integer = { type: 'integer' };
const text = { type: 'string' };
/** The details of a 429 have `limit`, `used` and `resets_at`, whatever limit was reached (ENV-44). */
const retryAfter = {
  description: 'Seconds; details holds limit, used and resets_at.',
  schema: { ...integer, minimum: 1 },
};
const pool = {
  type: 'object',
  properties: {
    used: integer,
    limit: integer,
    pct: { type: 'number' },
    state: { enum: ['ok', 'notice', 'warning', 'exhausted'] },
  },
};

const metaSchema = {
  type: 'object',
  required: ['api_version', 'request_id', 'response_ms', 'timestamp'],
  properties: {
    api_version: text,
    request_id: text,
    response_ms: integer,
    timestamp: { ...integer, description: 'Epoch seconds.' },
    quota: {
      type: 'object',
      properties: { limit: integer, used: integer, remaining: integer, resets_at: integer },
    },
    pools: {
      type: 'object',
      properties: {
        storage: pool,
        bandwidth: { ...pool, properties: { ...pool.properties, cycle_resets_at: integer } },
        identity: pool,
      },
    },
  },
};

const errorSchema = {
  type: 'object',
  required: ['error', 'meta'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: text, message: text, details: { type: 'object' } },
    },
    meta: {
      type: 'object',
      required: ['api_version', 'request_id'],
      properties: { api_version: text, request_id: text },
    },
  },
};
