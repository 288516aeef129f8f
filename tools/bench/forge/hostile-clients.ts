// A program of slow clients: readers that accept 1 KiB/s, and uploads of 20 KiB/s, just above the minimal rate of Forge.
// node hostile-clients.ts <port> <plan.json>; GET /readyz is 200 when all have been answered once, GET /counts what they got.
import { readFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const CHUNK_BYTES = 52_428_800;
const READ_BYTES = 1_024;
const SEND = Buffer.alloc(20_480);
const TUS = { 'Tus-Resumable': '1.0.0' };

/** The ISTKs of downloads and of uploads. */
export interface AttackPlan {
  url: string;
  downloads: string[];
  uploads: string[];
}

const [port, planPath = ''] = process.argv.slice(2);
const { url, downloads, uploads } = JSON.parse(readFileSync(planPath, 'utf8')) as AttackPlan;
const counts = { running: 0, refused: 0, ended: 0, uploading: 0, uploadsEnded: 0 };
let answered = 0;

/** Reads from the last position on, for ever; a refused request waits as long as it is told. */
async function readSlowly(istk: string, index: number) {
  await delay(index * 2); // so that the connections do not overflow the queue of the server
  for (let position = 0, isFirst = true; ; isFirst = false) {
    const response = await sent('GET', `/decrypt?istk=${istk}`, { Range: `bytes=${position}-` }).catch(
      () => null,
    );
    if (isFirst) answered += 1;
    if (response?.statusCode === 206) position += await drip(response);
    else counts.refused += 1;
    response?.resume();
    await delay(1_000 * Number(response?.headers['retry-after'] ?? 1));
  }
}

/** The bytes that were read until the connection ended. */
async function drip(response: IncomingMessage) {
  counts.running += 1;
  let bytes = 0;
  const timer = setInterval(
    () => (bytes += (response.read(READ_BYTES) as Buffer | null)?.length ?? 0),
    1_000,
  );
  await new Promise((resolve) => response.on('error', () => {}).once('close', resolve));
  clearInterval(timer);
  counts.running -= 1;
  counts.ended += 1;
  return bytes;
}

/** Sends the first chunk of an upload, again and again. */
async function sendSlowly(istk: string, index: number) {
  await delay(index * 10);
  const creation = { ...TUS, 'Upload-Length': String(CHUNK_BYTES) };
  const { headers } = await sent('POST', `/encrypt?istk=${istk}`, creation);
  answered += 1;
  for (;;) {
    counts.uploading += 1;
    await sendChunk(headers.location ?? '');
    counts.uploading -= 1;
    counts.uploadsEnded += 1;
    await delay(1_000);
  }
}

function sendChunk(location: string): Promise<void> {
  const headers = {
    ...TUS,
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
    'Content-Length': String(CHUNK_BYTES),
  };
  return new Promise((resolve) => {
    const outgoing = request(url + location, { method: 'PATCH', headers, agent: false });
    const timer = setInterval(() => outgoing.write(SEND), 1_000);
    outgoing.on('error', () => {}).on('response', (response) => response.resume());
    outgoing.once('close', () => resolve(clearInterval(timer)));
  });
}

function sent(method: string, path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method, headers, agent: false }, resolve);
    outgoing.on('error', reject).end();
  });
}

createServer((incoming, response) => {
  if (incoming.url === '/counts') return response.end(JSON.stringify(counts));
  return response.writeHead(answered < downloads.length + uploads.length ? 503 : 200).end();
}).listen(Number(port), '127.0.0.1');

for (const [index, istk] of downloads.entries()) void readSlowly(istk, index);
for (const [index, istk] of uploads.entries()) void sendSlowly(istk, index);
