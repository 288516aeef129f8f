import {
  exampleOf,
  providerHeaders,
  schemaOf,
  type Access,
  type Class,
  type JsonSchema,
  type PublicOperation,
} from '@vaultsvc/contracts';
import { operationIdOf } from '@vaultsvc/contracts/catalog';
import { needsCredential } from '../../access/assert-access.js';
import { IDEMPOTENCY_KEY } from '../../exchange/idempotency-key.js';
import { resourceOf } from '../operations/api-resources.js';
import { codeSamplesOf } from '../samples/code-samples.js';
import type { ComponentSchemas } from './component-schemas.js';
import {
  descriptionOf,
  titleOf,
  bodySentence,
  sessionParameters,
} from '../operations/operation-documentation.js';
import { jsonContent, responsesOf } from './operation-responses.js';

const text = { type: 'string' };

/** The Operation Object of an operation (OpenAPI 3.1, 4.8.10). */
export function operationObject(op: PublicOperation, schemas: ComponentSchemas, version: string): object {
  const { params, query, access } = op;
  const parameters = [
    ...parametersOf(params, 'path'),
    ...parametersOf(query, 'query'),
    ...signatureHeaders(access),
    ...sessionParameters(op),
    ...idempotencyParameters(op),
  ];
  const requestBody = requestBodyOf(op, schemas);
  const samples = codeSamplesOf(op);
  return {
    operationId: operationIdOf(op),
    tags: [resourceOf(op.http.path)?.name ?? 'Other'],
    summary: titleOf(op),
    description: descriptionOf(op),
    security: securityOf(op),
    parameters,
    ...(requestBody && { requestBody }),
    responses: responsesOf(op, schemas, version),
    ...(samples.length > 0 && { 'x-codeSamples': samples }),
  };
}

/** Each alternative is one set of credentials. A vault named by the body needs its token only if the body names one. */
function securityOf(op: PublicOperation): object[] {
  const { credential, vat, vatOf } = op.access;
  if (credential === 'optional') return [{}, { bearer: [] }];
  if (headersOf(op.access).includes('authorization')) return [{ providerToken: [] }];
  if (!needsCredential(op)) return [];
  const callers =
    credential === 'key' || credential === 'any' ? [{ apiKey: [] }, { bearer: [] }] : [{ bearer: [] }];
  if (!vat) return callers;
  const withToken = callers.map((caller) => ({ ...caller, vaultAccessToken: [] }));
  return vatOf === undefined ? withToken : [...callers, ...withToken];
}

function parametersOf(type: Class<object> | undefined, place: 'path' | 'query'): object[] {
  if (!type) return [];
  const { properties = {}, required = [] } = schemaOf(type);
  const examples = exampleOf(type);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema,
    ...(name in examples && { example: examples[name] }),
  }));
}

/** An empty body stands for `{}`, so the body is optional where no field is required. */
function requestBodyOf(op: PublicOperation, schemas: ComponentSchemas): object | undefined {
  const { body, access } = op;
  if (!body)
    return access.provider ? { description: 'As the provider sends it.', content: anyContent } : undefined;
  const content = jsonContent(schemas.refTo(body), { example: exampleOf(body) });
  return { description: bodySentence(op), required: schemaOf(body).required !== undefined, content };
}

const anyContent = {
  'application/json': { schema: { type: 'object' } as JsonSchema },
  'application/x-www-form-urlencoded': { schema: { type: 'object' } as JsonSchema },
};

/** The headers of a provider's signature; its bearer is a security scheme. Some providers sign under one name of several. */
function signatureHeaders(access: Access): object[] {
  const names = headersOf(access).filter((name) => name !== 'authorization');
  return names.map((name) => ({
    name,
    in: 'header',
    required: names.length === 1,
    description: 'Set by the provider.',
    schema: text,
  }));
}

const headersOf = ({ provider }: Access) => (provider ? providerHeaders[provider] : []);

function idempotencyParameters({ idempotent }: PublicOperation): object[] {
  if (idempotent === undefined) return [];
  return [
    {
      name: IDEMPOTENCY_KEY,
      in: 'header',
      required: false,
      description:
        'A name for this request, such as a UUID, 1 to 255 visible ASCII characters: repeated with it within 24 hours, the request is carried out once.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ];
}
