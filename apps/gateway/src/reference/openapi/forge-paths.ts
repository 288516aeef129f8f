import { CHUNK_BYTES } from '@vaultsvc/contracts/gateway';

const text = { type: 'string' } as const;
const integer = { type: 'integer', minimum: 0 } as const;

const error = (description: string) => ({
  description,
  headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const header = (name: string, description: string, schema: object, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema,
});

const tusResumable = header('Tus-Resumable', 'The version of the protocol.', { ...text, enum: ['1.0.0'] });
const istkHeader = header(
  'X-ISTK',
  'The credential, if it is not in the query, which has precedence.',
  text,
  false,
);
const uploadId = {
  name: 'upload_id',
  in: 'path',
  required: true,
  description: 'The last segment of `Location`. It is a secret: it needs no further credential.',
  schema: text,
} as const;
const offset = { description: 'Bytes that are stored.', schema: integer };
const chunkSize = {
  description: 'The length of every chunk but the last.',
  schema: integer,
  example: CHUNK_BYTES,
};

const common = { tags: ['Transfers'] } as const;

/** The requests of Forge, at its origin: tus 1.0.0 and downloads. Its controllers, not contracts, define them. */
export function forgePaths(origin: string): Record<string, object> {
  const servers = [{ url: origin, description: 'Forge' }];
  return {
    '/encrypt': { servers, options: capabilities, post: createUpload },
    // Not /encrypt/{upload_id}: link pages have /{link_code}/burn at their origins, and a document has one list of paths.
    '/{upload_id}': {
      servers: [{ url: `${origin}/encrypt`, description: 'Uploads of Forge' }],
      parameters: [uploadId],
      head: readOffset,
      patch: appendChunk,
      delete: cancelUpload,
    },
    '/decrypt': { servers, get: download },
    '/progress': { servers, get: progress },
    '/health': { servers, get: health },
  };
}

const capabilities = {
  ...common,
  operationId: 'readUploadCapabilities',
  summary: 'Describes the upload protocol',
  security: [],
  responses: {
    '204': {
      description: 'The protocol.',
      headers: {
        'Tus-Version': { schema: text, example: '1.0.0' },
        'Tus-Extension': { schema: text, example: 'creation,termination' },
        'Tus-Max-Size': { schema: integer, example: 5_497_558_138_880 },
      },
    },
    '400': error('The request is malformed.'),
  },
};

const createUpload = {
  ...common,
  operationId: 'createUpload',
  summary: 'Starts an upload',
  description: '`POST` to the `forge_url` of an ingot. Consumes the credential in it.',
  security: [{ istk: [] }],
  parameters: [tusResumable, header('Upload-Length', 'Bytes of the file.', integer), istkHeader],
  responses: {
    '201': {
      description: 'The upload is open.',
      headers: {
        Location: { description: 'The URL of the upload, relative to Forge.', schema: text },
        'Upload-Offset': offset,
        'Upload-Length': { schema: integer },
        'X-Chunk-Size': chunkSize,
      },
    },
    '400': error('`Upload-Length` is missing, malformed or above the size of the ingot.'),
    '401': error('The credential is missing, used (`details.code` ISTK_USED), expired or unknown.'),
    '412': error('`Tus-Resumable` is not 1.0.0.'),
  },
};

const readOffset = {
  ...common,
  operationId: 'readUploadOffset',
  summary: 'Reads the offset at which an upload goes on',
  security: [],
  parameters: [tusResumable],
  responses: {
    '200': {
      description: 'The state of the upload.',
      headers: { 'Upload-Offset': offset, 'Upload-Length': { schema: integer }, 'X-Chunk-Size': chunkSize },
    },
    '404': { description: 'No such upload.' },
    '423': { description: 'The store does not respond at this moment; ask again after `Retry-After`.' },
  },
};

const appendChunk = {
  ...common,
  operationId: 'appendChunk',
  summary: 'Sends the next chunk',
  description: `Every chunk but the last has exactly ${CHUNK_BYTES.toLocaleString('en-US')} bytes. After the last one the ingot is active.`,
  security: [],
  parameters: [tusResumable, header('Upload-Offset', 'The offset of this chunk.', integer)],
  requestBody: {
    required: true,
    content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
  responses: {
    '204': { description: 'The chunk is stored.', headers: { 'Upload-Offset': offset } },
    '400': error('The offset, the length or the content type is wrong; the offset is unchanged.'),
    '404': error('No such upload.'),
    '409': error('Another request has written at this offset; read it with HEAD.'),
    '429': error('Too many chunks are in flight; retry after `Retry-After`.'),
  },
};

const cancelUpload = {
  ...common,
  operationId: 'cancelUpload',
  summary: 'Cancels an upload',
  description:
    'Deletes what was sent; the content of the ingot stays as it is. After the last chunk it changes nothing.',
  security: [],
  parameters: [tusResumable],
  responses: { '204': { description: 'Cancelled.' }, '404': error('No such upload.') },
};

const file = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
const fileHeaders = {
  'Content-Disposition': { schema: text, example: 'attachment; filename="contract.pdf"' },
  'Accept-Ranges': { schema: text, example: 'bytes' },
  'X-Ingot-ID': { schema: text },
};

const download = {
  ...common,
  operationId: 'downloadFile',
  summary: 'Downloads a file',
  description:
    '`GET` the `download_url`. It is valid for one request; with `stream` it may be used again and again, for seeking.',
  security: [{ istk: [] }],
  parameters: [
    istkHeader,
    header('Range', 'One range of bytes.', { ...text, examples: ['bytes=0-1048575'] }, false),
  ],
  responses: {
    '200': { description: 'The file.', headers: fileHeaders, content: file },
    '206': {
      description: 'The range.',
      headers: { ...fileHeaders, 'Content-Range': { schema: text } },
      content: file,
    },
    '401': error('The credential is missing, used, expired or unknown.'),
    '416': error('The file has no such range.'),
    '429': error('Too many downloads are running; retry after `Retry-After`.'),
  },
};

const progress = {
  ...common,
  operationId: 'readTransferProgress',
  summary: 'Reads the progress of a transfer',
  description: 'Does not consume the credential.',
  security: [{ istk: [] }],
  responses: {
    '200': {
      description: 'The progress.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['success', 'progress'],
            properties: {
              success: { type: 'boolean' },
              progress: {
                type: 'object',
                required: ['bytes_downloaded', 'bytes_processed', 'total_bytes', 'status'],
                properties: {
                  bytes_downloaded: integer,
                  bytes_processed: integer,
                  total_bytes: integer,
                  status: text,
                },
              },
            },
          },
        },
      },
    },
    '404': error('No transfer has this credential.'),
  },
};

const health = {
  ...common,
  operationId: 'readForgeHealth',
  summary: 'Reports whether Forge answers',
  security: [],
  responses: {
    '200': {
      description: 'It does.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['status', 'version', 'timestamp'],
            properties: { status: text, version: text, timestamp: { ...text, format: 'date-time' } },
          },
        },
      },
    },
    '404': error('Another path or method.'),
  },
};
