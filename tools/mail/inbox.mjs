#!/usr/bin/env node
/**
 * An inbox for local stacks and tests: receives mails over SMTP and text messages over an emulation of Twilio's Messages
 * API, keeps the newest 500 of each in memory and shows them on a web page. It delivers nothing.
 *
 *   node inbox.mjs [--http-port 0] [--smtp-port 0] [--host 127.0.0.1]
 *
 * GET /                  the page
 * GET /email             all mails as JSON, the newest last; {id, time, from, to, subject, text, html, headers, …}
 * GET /email/<id>        one mail
 * DELETE /email/all      deletes all mails; DELETE /email/<id> one
 * GET /sms               all text messages as JSON, the newest last; {id, time, from, to, text, encoding, segments, read};
 *                        /sms/<id> and DELETE as with mails
 * POST /2010-04-01/…     sends a text message, see sms-api.mjs
 *
 * Prints `mail listening on <http address>, <smtp address>` when it is ready. It exits immediately on SIGTERM and SIGINT.
 */
import { parseArgs } from 'node:util';
import { startInbox } from './server.mjs';

const text = (/** @type {string} */ value) => ({ type: /** @type {const} */ ('string'), default: value });

try {
  const options = { 'http-port': text('0'), 'smtp-port': text('0'), host: text('127.0.0.1') };
  const { values } = parseArgs({ options });
  const httpPort = port('http-port', values['http-port']);
  const smtpPort = port('smtp-port', values['smtp-port']);
  const { httpUrl, smtpUrl } = await startInbox({ httpPort, smtpPort, host: values.host });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
  process.stdout.write(`mail listening on ${httpUrl}, ${smtpUrl}\n`);
} catch (error) {
  process.stderr.write(`mail: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/**
 * @param {string} name
 * @param {string} value
 */
function port(name, value) {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new Error(`--${name} must be a number from 0 to 65535`);
}
