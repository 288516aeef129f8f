/**
 * An inbox for local stacks and tests: receives the messages of all channels as their providers do, keeps the newest 500 of each
 * kind in memory and shows them on a web page. It delivers nothing.
 *
 *   node inbox.ts [--http-port 0] [--smtp-port 0] [--apns-port 0] [--host 127.0.0.1]
 *
 * GET /                  the page; /?q=words searches
 * GET /messages          the messages of all channels as JSON, the newest last, each with its `channel`; /messages/<id> is one,
 *                        /messages/<id>/raw its source as received, /messages?q=words those with all the words
 * DELETE /messages/all   deletes all messages; DELETE /messages/<id> one
 * GET /email             all mails as JSON, the newest last; {id, time, from, to, subject, text, html, headers, …};
 *                        /email/<id> and DELETE as above
 * GET /sms               all text messages as JSON, the newest last; {id, time, from, to, text, encoding, segments, read};
 *                        /sms/<id> and DELETE as above
 * POST /2010-04-01/…     sends SMS, WhatsApp, RCS and calls, see twilio-api.ts
 * POST /v1/projects/…    sends a push by FCM, POST /fcm/token authorizes it, see fcm-api.ts
 * GET /push/subscription a PushSubscription of the inbox; pushes to its endpoint are decrypted, see push-service.ts
 * POST /webhook, /slack, /teams
 *                        receive webhooks, also with a path below, see webhooks.ts
 *
 * Mails arrive over SMTP, pushes by APNs over HTTP/2 without TLS, each on a port of its own.
 *
 * Prints `mail listening on <http address>, <smtp address> and <apns address>` when it is ready. It exits immediately on SIGTERM
 * and SIGINT.
 */
import { parseArgs } from 'node:util';
import { startInbox } from './server.ts';

const text = (value: string) => ({ type: 'string' as const, default: value });

try {
  const ports = { 'http-port': text('0'), 'smtp-port': text('0'), 'apns-port': text('0') };
  const options = { ...ports, host: text('127.0.0.1') };
  const { values } = parseArgs({ options });
  const httpPort = port('http-port', values['http-port']);
  const smtpPort = port('smtp-port', values['smtp-port']);
  const apnsPort = port('apns-port', values['apns-port']);
  const started = await startInbox({ httpPort, smtpPort, apnsPort, host: values.host });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
  process.stdout.write(`mail listening on ${started.httpUrl}, ${started.smtpUrl} and ${started.apnsUrl}\n`);
} catch (error) {
  process.stderr.write(`mail: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

function port(name: string, value: string) {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new Error(`--${name} must be a number from 0 to 65535`);
}
