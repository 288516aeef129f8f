import { describe, expect, it } from '@jest/globals';
import { breakingChanges } from './breaking-changes.ts';
import { currentDocument } from './document.js';
import { releasedDocument } from './released.ts';

const sparkSchema = () => ({
  type: 'object',
  required: ['payload'],
  properties: {
    payload: { type: 'string', maxLength: 100 },
    kind: { type: 'string', enum: ['a', 'b'] },
    parent: { oneOf: [{ $ref: '#/components/schemas/Spark' }, { type: 'null' }] },
    tags: { type: 'array', items: { type: 'string' } },
  },
});

/** A document with one operation, whose schemas refer to themselves. */
const sample = () => ({
  paths: {
    '/v1/sparks': {
      post: {
        operationId: 'createSpark',
        security: [{ apiKey: [] }, { bearer: [] }],
        parameters: [
          { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 100 } },
        ],
        requestBody: {
          required: false,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewSpark' } } },
        },
        responses: {
          '201': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Spark' } } } },
        },
      },
    },
  },
  components: { schemas: { NewSpark: sparkSchema(), Spark: sparkSchema() } },
});
type Sample = ReturnType<typeof sample>;
const operationOf = (document: Sample) => document.paths['/v1/sparks'].post;

const changesAfter = (change: (document: Sample) => void): string[] => {
  const after = sample();
  change(after);
  return breakingChanges(sample(), after);
};

describe('MISC-02: a change of the API breaks clients', () => {
  it.each<[string, (document: Sample) => void, string]>([
    [
      'without an operation',
      ({ paths }) => delete (paths as Partial<Sample['paths']>)['/v1/sparks'],
      'the operation is gone',
    ],
    [
      'with another name of a function',
      (document) => (operationOf(document).operationId = 'newSpark'),
      'operationId',
    ],
    [
      'with fewer kinds of credentials',
      (document) => (operationOf(document).security = [{ apiKey: [] }] as never),
      'bearer is not enough',
    ],
    [
      'with a required parameter',
      (document) =>
        operationOf(document).parameters.push({ name: 'x', in: 'query', required: true } as never),
      'x: the parameter is required',
    ],
    [
      'without a parameter',
      (document) => (operationOf(document).parameters = []),
      'limit: the parameter is gone',
    ],
    [
      'with a lower maximum',
      (document) => (operationOf(document).parameters[0]!.schema.maximum = 50),
      'maximum is 50',
    ],
    [
      'with a required body',
      (document) => (operationOf(document).requestBody.required = true),
      'body is required',
    ],
    [
      'with a required field of a request',
      ({ components }) => components.schemas.NewSpark.required.push('kind'),
      'body.kind: the field is required',
    ],
    [
      'with a shorter text',
      ({ components }) => (components.schemas.NewSpark.properties.payload.maxLength = 10),
      'maxLength is 10',
    ],
    [
      'without a value of a request',
      ({ components }) => components.schemas.NewSpark.properties.kind.enum.pop(),
      'b is no value',
    ],
    [
      'with another type',
      ({ components }) => (components.schemas.NewSpark.properties.payload.type = 'integer'),
      'type is integer instead of string',
    ],
    [
      'without a field of a response',
      ({ components }) => delete (components.schemas.Spark.properties as { tags?: object }).tags,
      '201.tags: the field is gone',
    ],
    [
      'with a field of a response that may be absent',
      ({ components }) => components.schemas.Spark.required.pop(),
      '201.payload: the field may be absent',
    ],
    [
      'with null in a response',
      ({ components }) => (components.schemas.Spark.properties.payload.type = ['string', 'null'] as never),
      'type is string or null',
    ],
    [
      'with another status',
      (document) =>
        (operationOf(document).responses = { '200': operationOf(document).responses['201'] } as never),
      'status 201 is gone',
    ],
  ])('%s', (_, change, expected) => {
    const changes = changesAfter(change);
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.join('\n')).toContain(expected);
  });

  it('but not with an optional field, a wider bound, a further value, or a new operation', () => {
    const changes = changesAfter(({ paths, components }) => {
      Object.assign(paths, { '/v1/other': paths['/v1/sparks'] });
      const { properties } = components.schemas.NewSpark;
      Object.assign(properties, { note: { type: 'string' } });
      properties.payload.maxLength = 1_000;
      properties.kind.enum.push('c');
      Object.assign(components.schemas.Spark.properties, { note: { type: 'string' } });
    });
    expect(changes).toEqual([]);
  });
});

describe('MISC-02: the API of this source', () => {
  // `npm run openapi -- release` makes it the last release, after the break is in the release notes.
  it('breaks no client of the last release', () => {
    expect(breakingChanges(releasedDocument(), currentDocument())).toEqual([]);
    expect(Object.keys(releasedDocument()['paths'] as object).length).toBeGreaterThan(100);
  });
});

describe('MISC-01 MISC-02: the pattern of a field', () => {
  const changesOf = (old: string, now: string): string[] => {
    const withPattern = (pattern: string) => {
      const document = sample();
      Object.assign(document.components.schemas.NewSpark.properties.payload, { pattern });
      return document;
    };
    return breakingChanges(withPattern(old), withPattern(now));
  };

  it('may get an optional ending', () => {
    expect(changesOf('^a{2}$', '^a{2}(?:[b-c]{2})?$')).toEqual([]);
  });

  it.each([
    ['^a{2}$', '^a{2}[b-c]{2}$'],
    ['^a{2}$', '^a{3}(?:b)?$'],
    ['^a|b$', '^a|b(?:c)?$|^d$'],
    ['^a', '^a(?:b)?$'],
  ])('breaks clients if it becomes another one: %s, then %s', (old, now) => {
    expect(changesOf(old, now)).toHaveLength(1);
  });
});
