import { pino, type DestinationStream } from 'pino';

/** Lines longer than this together are written before the turn ends. */
const CHARACTERS_PER_WRITE = 16 * 1_024;

/**
 * Writes the lines of one turn of the event loop together: a system call for each would cost a busy service more than much of
 * its work on a request. Lines are also written when the process exits; a kill -9 loses those of one turn.
 * @param output writes at once
 */
export function logDestination(output: DestinationStream): DestinationStream {
  let lines = '';
  const flush = () => {
    if (lines !== '') output.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
      if (lines.length > CHARACTERS_PER_WRITE) flush();
    },
  };
}

let shared: DestinationStream | undefined;

/** Standard output, shared by all loggers of the process: each destination has to be flushed when it exits. */
export function standardOutput(): DestinationStream {
  return (shared ??= logDestination(pino.destination(1)));
}
