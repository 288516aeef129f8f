import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { PublicOperation } from '@vaultsvc/contracts';
import type { RawAnswer } from './send.js';

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
}
type Responses = Readonly<
  Record<string, { readonly headers?: object; readonly content?: Readonly<Record<string, object>> }>
>;

const DOCUMENT = 'openapi';
/** Statuses of requests that reach no operation: another path or method, or a malformed message. */
const unrouted = new Set([400, 404]);

/** Compares answers with the OpenAPI document that the gateway serves. */
export class DocumentConformance {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });

  private constructor(private readonly document: OpenApi) {
    this.#ajv.addSchema(document, DOCUMENT);
  }

  static async from(apiUrl: string): Promise<DocumentConformance> {
    const response = await fetch(`${apiUrl}/v1/openapi.json`);
    return new DocumentConformance((await response.json()) as OpenApi);
  }

  /** Fails unless the document has the status of the answer, its type of content, its headers and its schema. */
  assert({ http }: PublicOperation, answer: RawAnswer): void {
    const responses = this.document.paths[http.path]?.[http.method.toLowerCase()]?.responses ?? {};
    const documented = responses[answer.status];
    if (!documented && unrouted.has(answer.status)) return;
    expect([answer.status, Object.keys(responses)]).toEqual([
      answer.status,
      expect.arrayContaining([String(answer.status)]),
    ]);
    const headers = Object.keys(documented?.headers ?? {}).filter((name) => !conditional.has(name));
    for (const name of headers) expect(answer.headers).toHaveProperty(name.toLowerCase());
    this.#assertContent(http, answer, Object.keys(documented?.content ?? {}));
  }

  #assertContent(
    { method, path }: PublicOperation['http'],
    answer: RawAnswer,
    types: readonly string[],
  ): void {
    if (answer.text === '') return;
    const type = String(answer.headers['content-type']).split(';')[0] ?? '';
    expect(types).toContain(type);
    if (type !== 'application/json') return;
    const place = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(answer.status),
      'content',
      type,
      'schema',
    ];
    const validate = this.#ajv.compile({ $ref: `${DOCUMENT}#/${place.map(escaped).join('/')}` });
    const isValid = validate(JSON.parse(answer.text));
    expect([`${method} ${path} ${answer.status}`, isValid, validate.errors]).toEqual([
      expect.anything(),
      true,
      null,
    ]);
  }
}

/** Headers that only some answers of a status have. */
const conditional = new Set(['X-Ignored', 'Set-Cookie', 'Idempotent-Replayed', 'Retry-After', 'WWW-Authenticate']);

/** A segment of a JSON Pointer in the fragment of a URI (RFC 6901, 6). */
function escaped(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));
}
