import { pino, type DestinationStream } from 'pino';

/** Lines longer than this together are written before the turn ends. */
const CHARACTERS_PER_WRITE = 16 * 1_024;

/**
 * Writes the lines of one turn of the event loop together: a system call for each would cost a busy service more than much of
 * its work on a request. Lines are also written when the process exits; a kill -9 loses those of one turn.
 * @param output writes at once; standard output by default
 */
export function logDestination(output: DestinationStream = pino.destination(1)): DestinationStream {
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
