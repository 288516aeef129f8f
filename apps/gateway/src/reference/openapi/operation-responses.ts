import { exampleOf, type ErrorReason, type JsonSchema, type PublicOperation } from '@vaultsvc/contracts';
import { readHealth } from '@vaultsvc/contracts/gateway';
import { errorExample } from './error-examples.js';
import type { ComponentSchemas } from './component-schemas.js';
import type { ReferenceOptions } from './reference-options.js';
import { headerRefs, type ResponseHeader } from './openapi-components.js';
import { cookieSentence, errorsOf } from '../operations/operation-documentation.js';

/** The responses of an operation by status: its success, and one for each status of its errors. */
export function responsesOf(op: PublicOperation, schemas: ComponentSchemas, version: string): object {
  return { ...successOf(op, schemas, version), ...errorResponsesOf(op) };
}

/** `application/json` with a schema, and examples of whole bodies. */
export function jsonContent(schema: JsonSchema, examples: object = {}): object {
  return { 'application/json': { schema, ...examples } };
}

function successOf(op: PublicOperation, schemas: ComponentSchemas, version: string): object {
  const cookie = cookieSentence(op);
  const headers = {
    ...headerRefs(...countedHeaders(op)),
    ...(cookie && { 'Set-Cookie': { description: cookie, schema: { type: 'string' } } }),
  };
  return { [op.http.status]: { ...successBodyOf(op, schemas, version), headers } };
}

function successBodyOf(op: PublicOperation, schemas: ComponentSchemas, version: string): object {
  const { http, reply, bare, parts } = op;
  if (http.status === 204) return { description: 'Done. There is no body.' };
  if (parts)
    return {
      description: 'JSON Lines, or CSV.',
      content: {
        'application/x-ndjson': { schema: { type: 'string' } },
        'text/csv': { schema: { type: 'string' } },
      },
    };
  const data = reply ? schemas.refTo(reply) : { type: 'object' };
  const example = reply ? exampleOf(reply) : {};
  if (bare) return { description: 'Success, without envelope.', content: jsonContent(data, { example }) };
  const envelope = {
    type: 'object',
    required: ['data', 'meta'],
    properties: { data, meta: { $ref: '#/components/schemas/Meta' } },
  };
  return {
    description: 'Success.',
    content: jsonContent(envelope, { example: { data: example, meta: metaExample(op, version) } }),
  };
}

const countedHeaders = (op: PublicOperation): readonly ResponseHeader[] => {
  if (op === readHealth) return ['X-Request-Id'];
  const ignored = op.body || op.query ? (['X-Ignored'] as const) : [];
  const replayed = typeof op.idempotent === 'object' ? (['Idempotent-Replayed'] as const) : [];
  return ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...ignored, ...replayed];
};

function metaExample({ access: { credential } }: PublicOperation, version: string): object {
  const isAuthenticated = credential === 'key' || credential === 'session' || credential === 'any';
  return {
    api_version: version,
    request_id: 'req_5uJx8QmZt2vKr7nLs4YpBd',
    response_ms: 7,
    timestamp: 1_795_600_000,
    ...(isAuthenticated && { quota: { limit: 300, used: 13, remaining: 287, resets_at: 1_795_600_020 } }),
  };
}

/** One response per status; its description lists each code with its message, its examples are by reason. */
function errorResponsesOf(op: PublicOperation): object {
  const errors = errorsOf(op);
  const statuses = [...new Set(errors.map(({ status }) => status))];
  const responses = statuses.map((status) => {
    const ofStatus = errors.filter((error) => error.status === status);
    const sentences = ofStatus.map(({ code, message }) => `${code}: ${message}`);
    const content = jsonContent(
      { $ref: '#/components/schemas/Error' },
      { examples: Object.fromEntries(ofStatus.map(({ reason }) => [reason, exampleRef(reason)])) },
    );
    const headers = headerRefs('X-Request-Id', ...headersOfStatus(status));
    return [status, { description: sentences.join(' '), headers, content }];
  });
  return Object.fromEntries(responses) as object;
}

const exampleRef = (reason: ErrorReason) => ({ $ref: `#/components/examples/${reason}` });

function headersOfStatus(status: number): readonly ResponseHeader[] {
  if (status === 401) return ['WWW-Authenticate'];
  return status === 429 ? ['RateLimit', 'RateLimit-Policy', 'Retry-After'] : [];
}

/** `#/components/examples`: an error body for each reason that an operation may return. */
export function errorExamples(operations: readonly PublicOperation[], options: ReferenceOptions): object {
  const reasons = new Set(operations.flatMap((op) => errorsOf(op).map(({ reason }) => reason)));
  return Object.fromEntries([...reasons].sort().map((reason) => [reason, errorExample(reason, options)]));
}
