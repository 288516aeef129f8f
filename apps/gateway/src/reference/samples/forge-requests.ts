/** The meaning of the variables in the samples of Forge, for the descriptions of its operations. */
export const forgeVariables = {
  VAULTSVC_FORGE: 'the origin of Forge',
  FORGE_URL: 'the `forge_url` of a new ingot',
  UPLOAD_URL: 'the `Location` of a new upload at the origin of Forge',
  DOWNLOAD_URL: 'the `download_url` of an ingot',
  ISTK: 'the `istk` in the query of `forge_url` or `download_url`',
} as const;
export type ForgeVariable = keyof typeof forgeVariables;

/** The example of a request to Forge, as the samples of all languages send it. */
export interface ForgeRequest {
  readonly method: string;
  /** The variables and texts that the URL is made of, the first one a variable. */
  readonly url: readonly [
    { readonly variable: ForgeVariable },
    ...({ readonly variable: ForgeVariable } | string)[],
  ];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly output: ForgeOutput;
}

/** What a sample prints: a header, the URL of `Location`, the status, JSON, or text. */
export type ForgeOutput = { readonly header: string } | 'location' | 'status' | 'json' | 'text';

const CONTENT = 'hello, vault';
const tus = { 'Tus-Resumable': '1.0.0' };
const forge = { variable: 'VAULTSVC_FORGE' } as const;
const upload = [{ variable: 'UPLOAD_URL' }] as const;

/** One request for each operation: the upload of a small file in one chunk, and its download. */
const requests: Readonly<Record<string, Omit<ForgeRequest, 'method'>>> = {
  'OPTIONS /encrypt': { url: [forge, '/encrypt'], headers: {}, output: { header: 'Tus-Extension' } },
  'POST /encrypt': {
    url: [{ variable: 'FORGE_URL' }],
    headers: { ...tus, 'Upload-Length': String(CONTENT.length) },
    output: 'location',
  },
  'HEAD /{upload_id}': { url: upload, headers: tus, output: { header: 'Upload-Offset' } },
  'PATCH /{upload_id}': {
    url: upload,
    headers: { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
    body: CONTENT,
    output: 'status',
  },
  'DELETE /{upload_id}': { url: upload, headers: tus, output: 'status' },
  'GET /decrypt': { url: [{ variable: 'DOWNLOAD_URL' }], headers: {}, output: 'text' },
  'GET /progress': {
    url: [forge, '/progress?istk=', { variable: 'ISTK' }],
    headers: {},
    output: 'json',
  },
  'GET /health': { url: [forge, '/health'], headers: {}, output: 'json' },
};

/** The request of an operation of Forge; undefined for others. */
export function forgeRequestOf(method: string, path: string): ForgeRequest | undefined {
  const request = requests[`${method} ${path}`];
  return request && { method, ...request };
}

/** The variables that the samples of a request read. */
export function variablesOf({ url }: ForgeRequest): readonly ForgeVariable[] {
  return url.flatMap((part) => (typeof part === 'string' ? [] : [part.variable]));
}
