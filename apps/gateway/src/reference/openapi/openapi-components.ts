import { errorReasons, errorStatus, publicReason, type ErrorReason } from '@vaultsvc/contracts';

const integer = { type: 'integer' };
const text = { type: 'string' };
const epochSeconds = { ...integer, description: 'Epoch seconds.' };

/** `#/components/securitySchemes`. */
export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key, `vk_live_…`: full access to its account.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a session, valid for one hour.',
  },
  vaultAccessToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Vault-Access-Token',
    description: 'The `vat` that unsealing a vault returns, sent besides the API key or session.',
  },
  providerToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of the CRM, or of the panel that it shows.',
  },
  istk: {
    type: 'apiKey',
    in: 'query',
    name: 'istk',
    description: 'The credential of one transfer, part of `forge_url` and `download_url`.',
  },
} as const;

/** `#/components/headers`. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'The id of this request, also in `meta.request_id`. Name it in a report of a problem.',
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The limit `q` and the window `w` in seconds, of the account or of the address.',
    schema: text,
    example: '"account";q=300;w=60',
  },
  RateLimit: {
    description: 'Remaining calls `r`, and the seconds `t` until the window ends.',
    schema: text,
    example: '"account";r=287;t=42',
  },
  'Retry-After': {
    description: 'Seconds until a retry may succeed; `details` holds limit, used and resets_at.',
    schema: { ...integer, minimum: 1 },
    example: 42,
  },
  'WWW-Authenticate': {
    description: 'The scheme that the request has to use (RFC 9110, 11.6.1).',
    schema: text,
    example: 'Bearer realm="vaultsvc"',
  },
  'Idempotent-Replayed': {
    description: '`true`: the response repeats that of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Ignored': {
    description:
      'Fields and query parameters of the request that the operation does not know and ignores, separated by commas; other characters than visible ASCII are percent-encoded.',
    schema: text,
    example: 'colour, recipients.0.team',
  },
} as const;

export type ResponseHeader = keyof typeof responseHeaders;

/** References to response headers, for `headers` of a response. */
export function headerRefs(...names: readonly ResponseHeader[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const pool = {
  type: 'object',
  required: ['used', 'limit', 'pct', 'state'],
  properties: {
    used: integer,
    limit: integer,
    pct: { type: 'number', description: 'used / limit' },
    state: { type: 'string', enum: ['ok', 'notice', 'warning', 'exhausted'] },
  },
};

/** Schemas that belong to no contract class. */
export const sharedSchemas = {
  Meta: {
    type: 'object',
    description: '`quota` on authenticated calls, `pools` on those that draw storage or bandwidth.',
    required: ['api_version', 'request_id', 'response_ms', 'timestamp'],
    properties: {
      api_version: text,
      request_id: text,
      response_ms: integer,
      timestamp: epochSeconds,
      quota: { $ref: '#/components/schemas/Quota' },
      pools: { $ref: '#/components/schemas/Pools' },
    },
  },
  Quota: {
    type: 'object',
    description: 'Calls of the account in this minute.',
    required: ['limit', 'used', 'remaining', 'resets_at'],
    properties: { limit: integer, used: integer, remaining: integer, resets_at: epochSeconds },
  },
  Pools: {
    type: 'object',
    description: 'Usage before the call.',
    required: ['storage', 'bandwidth', 'identity'],
    properties: {
      storage: { $ref: '#/components/schemas/Pool' },
      bandwidth: {
        allOf: [
          { $ref: '#/components/schemas/Pool' },
          { type: 'object', required: ['cycle_resets_at'], properties: { cycle_resets_at: epochSeconds } },
        ],
      },
      identity: { $ref: '#/components/schemas/Pool' },
    },
  },
  Pool: pool,
  ErrorCode: {
    type: 'string',
    description: 'Handle errors by their code: it determines the status.',
    enum: Object.keys(errorStatus),
  },
  ErrorReason: {
    type: 'string',
    description: 'The situation behind a code. Reasons may be added.',
    enum: (Object.keys(errorReasons) as ErrorReason[]).filter((reason) => publicReason(reason) === reason),
  },
  ErrorDetails: {
    type: 'object',
    description: 'Further members depend on the reason.',
    required: ['reason', 'docs'],
    properties: {
      reason: { $ref: '#/components/schemas/ErrorReason' },
      docs: { type: 'string', format: 'uri', description: 'The page that explains the reason.' },
      fields: {
        type: 'array',
        description: 'VALIDATION_ERROR, FIELD_MISSPELLED: the fields that are not valid.',
        items: {
          type: 'object',
          required: ['field', 'message'],
          properties: { field: text, message: text },
        },
      },
      limit: {
        ...integer,
        description: 'RATE_LIMIT_EXCEEDED: the limit. Absent, as the next two, for LIMITER_UNAVAILABLE.',
      },
      used: { ...integer, description: 'RATE_LIMIT_EXCEEDED: what was used of it.' },
      resets_at: { ...integer, description: 'RATE_LIMIT_EXCEEDED: when a retry may succeed.' },
      resource: {
        type: 'string',
        enum: ['storage', 'bandwidth'],
        description: 'QUOTA_EXCEEDED: the exhausted pool.',
      },
      limit_bytes: { ...integer, description: 'PAYLOAD_TOO_LARGE: the most bytes of limit_of.' },
      limit_of: { ...text, description: 'PAYLOAD_TOO_LARGE: the part that is too large.' },
      methods: {
        type: 'array',
        items: text,
        description: 'METHOD_NOT_FOUND: the methods of the path, as in the header Allow.',
      },
      nearest: { ...text, description: 'NOT_FOUND: the path that is near one that does not exist.' },
      action_required: { ...text, description: 'QUOTA_EXCEEDED: the capacity to add.' },
    },
    additionalProperties: true,
  },
  Error: {
    type: 'object',
    required: ['error', 'meta'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { $ref: '#/components/schemas/ErrorCode' },
          message: { ...text, description: 'For people; its wording may change.' },
          details: { $ref: '#/components/schemas/ErrorDetails' },
        },
      },
      meta: {
        type: 'object',
        required: ['api_version', 'request_id'],
        properties: { api_version: text, request_id: text },
      },
    },
  },
} as const;
