import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { KmsError } from './kms-error.ts';

export interface SignedRequest {
  method?: string;
  url?: string;
  headers: IncomingHttpHeaders;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const AUTHORIZATION = new RegExp(
  `^${ALGORITHM} Credential=([\\w-]{1,128})/(\\d{8})/([\\w-]{1,64})/kms/aws4_request, ?SignedHeaders=([a-z0-9;-]{1,1024}), ?Signature=([0-9a-f]{64})$`,
);
/** Without these a signature could be sent again with another operation or to another server. */
const MUST_BE_SIGNED = ['host', 'x-amz-date', 'x-amz-target'];

/**
 * Verifies Signature Version 4 of a request to `/` without a query, as all requests to KMS are. Its age is not checked: specs
 * set the clock of their process.
 * @param secretOf the secret access key
 * @returns the access key id
 * @throws KmsError with the error that KMS answers
 */
export function verifySignature(
  request: SignedRequest,
  body: Buffer,
  secretOf: (accessKeyId: string) => string | undefined,
): string {
  const text = request.headers.authorization;
  if (text === undefined) throw new KmsError('MissingAuthenticationTokenException');
  const [, accessKeyId = '', day = '', region = '', signed = '', presented = ''] =
    AUTHORIZATION.exec(text) ?? [];
  const names = signed.split(';');
  if (!accessKeyId || MUST_BE_SIGNED.some((name) => !names.includes(name)))
    throw new KmsError('IncompleteSignatureException');
  const secret = secretOf(accessKeyId);
  if (secret === undefined) throw new KmsError('UnrecognizedClientException');
  const scope = [day, region, 'kms', 'aws4_request'];
  const expected = signatureOf(request, body, names, scope, secret);
  if (!timingSafeEqual(Buffer.from(expected, 'hex'), Buffer.from(presented, 'hex')))
    throw new KmsError('InvalidSignatureException');
  return accessKeyId;
}

/**
 * The headers of a signed request, for bodies that the SDK would not make and for measurements without it.
 * @param url of the emulator
 * @param target operation, for example `TrentService.GenerateRandom`
 */
export function signedHeaders(
  url: string,
  target: string,
  body: string,
  { accessKeyId, secretAccessKey }: { accessKeyId: string; secretAccessKey: string },
) {
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const headers = { host: new URL(url).host, 'x-amz-date': date, 'x-amz-target': target };
  const scope = [date.slice(0, 8), 'us-east-1', 'kms', 'aws4_request'];
  const request = { method: 'POST', url: '/', headers };
  const signature = signatureOf(request, Buffer.from(body), MUST_BE_SIGNED, scope, secretAccessKey);
  const credential = `Credential=${accessKeyId}/${scope.join('/')}`;
  const authorization = `${ALGORITHM} ${credential}, SignedHeaders=${MUST_BE_SIGNED.join(';')}, Signature=${signature}`;
  return { ...headers, authorization, 'content-type': 'application/x-amz-json-1.1' };
}

/** @param names of the signed headers */
function signatureOf(
  { method, url, headers }: SignedRequest,
  body: Buffer,
  names: string[],
  scope: string[],
  secret: string,
) {
  const lines = names.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  );
  const canonical = [method, url, '', lines.join(''), names.join(';'), sha256(body)].join('\n');
  const toSign = [ALGORITHM, headers['x-amz-date'], scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce((previous, part) => hmac(previous, part), Buffer.from(`AWS4${secret}`));
  return hmac(key, toSign).toString('hex');
}

function sha256(value: Buffer | string) {
  return createHash('sha256').update(value).digest('hex');
}

function hmac(key: Buffer, value: string) {
  return createHmac('sha256', key).update(value).digest();
}
