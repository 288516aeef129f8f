// The baseline: @tus/server with its file store for uploads, Node's file stream with Range for downloads, and /null, which
// discards all bytes and shows the limit of the network. node plain-server.ts <port> <folder>
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const [port, folder = ''] = process.argv.slice(2);
const tus = new Server({
  path: '/files',
  datastore: new FileStore({ directory: folder }),
  relativeLocation: true,
});

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://localhost');
  if (pathname === '/readyz') return void response.end('{}');
  if (pathname === '/null') return void discardBody(request, response);
  if (request.method === 'GET') return void sendFile(request, response, pathname.slice('/files/'.length));
  void tus.handle(request, response);
});

function discardBody(request: IncomingMessage, response: ServerResponse) {
  request.on('data', () => {}).on('end', () => response.writeHead(204).end());
}

async function sendFile(request: IncomingMessage, response: ServerResponse, id: string) {
  const path = join(folder, id);
  const { size } = await stat(path);
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const range = first === undefined ? {} : { start: Number(first), end: Number(last) };
  const { start = 0, end = size - 1 } = range;
  response.writeHead(first === undefined ? 200 : 206, {
    'content-type': 'application/octet-stream',
    'content-length': end - start + 1,
    ...(first !== undefined && { 'content-range': `bytes ${start}-${end}/${size}` }),
  });
  await pipeline(createReadStream(path, { start, end }), response).catch(() => response.destroy());
}

server.listen(Number(port), '127.0.0.1');
