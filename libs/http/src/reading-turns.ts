import type { IncomingMessage } from 'node:http';

/** Bytes of a body that are read as they arrive, so most bodies never wait. */
const BYTES_BEFORE_TURNS = 64 * 1_024;
const READS_PER_TURN = 2;

const paced = new WeakSet<IncomingMessage>();
const waiting: IncomingMessage[] = [];

/**
 * Lets a long body flow in parts of about 128 KiB, two parts of all long bodies in a turn of the event loop. In one turn Node
 * would read up to 2 MiB of each connection (32 reads of libuv), so that 30 fast senders delay all other calls for as long as
 * 60 MiB take. Not for a piped body: `pipe` pauses and resumes by itself.
 */
export function readInTurns(request: IncomingMessage): void {
  if (paced.has(request)) return void request.resume();
  paced.add(request);
  let bytes = 0;
  request.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes > BYTES_BEFORE_TURNS) waitForTurn(request);
  });
}

function waitForTurn(request: IncomingMessage): void {
  request.pause();
  waiting.push(request);
  if (waiting.length === 1) setImmediate(resumeNext);
}

function resumeNext(): void {
  for (const request of waiting.splice(0, READS_PER_TURN)) request.resume();
  if (waiting.length > 0) setImmediate(resumeNext);
}
