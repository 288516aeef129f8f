import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import type { MessageStore } from './message-store.ts';

const MESSAGE_BYTES_MAX = 10 * 1024 * 1024;

/** An SMTP server that accepts every mail into the inbox. Without TLS and authentication, for the loopback address only. */
export function smtpServer(inbox: MessageStore) {
  return new SMTPServer({
    banner: 'local inbox, nothing is delivered',
    size: MESSAGE_BYTES_MAX,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData: (stream, { envelope }, done) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      const to = envelope.rcptTo.map(({ address }) => address);
      collect(stream)
        .then((raw) => inbox.receive(raw, { from, to }))
        .then(({ id }) => done(null, `kept as ${id}`), done);
    },
  });
}

/** Reads the whole message. One above the limit is read to its end and rejected with code 552 (RFC 5321, 4.5.3.1.9). */
async function collect(stream: SMTPServerDataStream) {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes <= MESSAGE_BYTES_MAX) parts.push(part);
  }
  if (bytes > MESSAGE_BYTES_MAX)
    throw Object.assign(new Error('5.3.4 Messages may have at most 10 MiB'), { responseCode: 552 });
  return Buffer.concat(parts);
}
