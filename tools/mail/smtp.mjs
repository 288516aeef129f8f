import { SMTPServer } from 'smtp-server';

const MESSAGE_BYTES_MAX = 10 * 1024 * 1024;

/**
 * An SMTP server that takes every mail from everybody and puts it into the inbox. It offers neither TLS nor a login:
 * it is for the loopback address.
 * @param {import('./mailbox.mjs').Inbox} inbox
 */
export function smtpServer(inbox) {
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

/**
 * The whole message; one that is too large is read to its end and refused, as RFC 5321 wants (4.5.3.1.9, code 552).
 * @param {import('smtp-server').SMTPServerDataStream} stream
 */
async function collect(stream) {
  /** @type {Buffer[]} */
  const parts = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes <= MESSAGE_BYTES_MAX) parts.push(part);
  }
  if (bytes > MESSAGE_BYTES_MAX)
    throw Object.assign(new Error('5.3.4 Messages may have 10 MiB'), { responseCode: 552 });
  return Buffer.concat(parts);
}
