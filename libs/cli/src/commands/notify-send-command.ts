import type { Schema } from '@vaultsvc/client';
import type { Command } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';
import { secondsWithin } from '../duration.js';
import { UsageError } from '../failures.js';
import { readPayload } from './payload-input.js';
import { exitCodeOf, printReport, waitForDeliveries } from './send-report.js';

type NewSend = Schema<'NewSend'>;

const channels = [
  ...['in_app', 'websocket', 'email', 'sms', 'push', 'web_push', 'voice', 'whatsapp', 'rcs'],
  ...['webhook', 'slack', 'teams'],
];
const levels = ['none', 'identifier', 'passkey', 'out_of_band', 'dual_control'];
const interactions = ['view', 'acknowledge', 'sign', 'approve', 'reply'];

/** `vaultsvc notify send` */
export const notifySendCommand: Command = {
  name: 'notify send',
  summary: 'Sends a sealed message to people: each gets a link of their own. Prints the id of the send.',
  arguments: [
    {
      name: 'file',
      summary: 'The content, or - for the standard input.',
      isOptional: true,
      isFile: true,
      field: 'content',
    },
  ],
  options: {
    to: {
      value: 'recipient',
      summary: 'An e-mail address, a phone number, or an id of your directory; may be repeated.',
      isRepeated: true,
      field: 'recipients',
    },
    channel: {
      value: 'channel',
      summary: 'How it is sent; may be repeated. The default is the configuration of the account.',
      choices: channels,
      isRepeated: true,
      field: 'channels',
    },
    verify: {
      value: 'level',
      summary: 'What recipients prove before they read it. The default is none.',
      choices: levels,
      field: 'policy',
    },
    ask: {
      value: 'action',
      summary: 'What is asked of them. The default is view.',
      choices: interactions,
      field: 'policy',
    },
    title: { value: 'text', summary: 'Shown in the message itself, so it is no secret.', field: 'title' },
    category: { value: 'name', summary: 'The category, which people can switch off.', field: 'category' },
    expires: {
      value: 'duration',
      summary: 'How long the links open: 1m to 1d. The default is 1d.',
      field: 'content',
    },
    id: {
      value: 'id',
      summary: 'An id of your own: a send with the same id is not sent again.',
      field: 'send_id',
    },
    wait: { summary: 'Wait until everything that is due was sent, and show what became of it.' },
  },
  notes: [
    'Without a file, the content is piped in, or typed on the terminal without echo. It holds 256,000 bytes.',
    'With --wait the exit code is 1 if somebody was not reached. Ctrl-C ends the waiting, not the send.',
  ],
  examples: [
    [
      'To one person',
      'echo "The new code is 4711." | vaultsvc notify send --to ann@example.com --title "Door code"',
    ],
    [
      'A file by two channels, and what became of it',
      'vaultsvc notify send plan.pdf --to ann@example.com --to +4930123456 --channel email --channel sms --wait',
    ],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const recipients = invocation.optionList('to');
    if (recipients.length === 0) throw new UsageError('Give at least one recipient: --to ann@example.com.');
    const ttl_minutes = minutesOf(invocation);
    const client = context.api.client();
    const payload = await readPayload(context, invocation.optionalArgument('file'));
    const body = {
      recipients: [...recipients],
      content: { ...payload, ttl_minutes },
      channels: channelsOf(invocation),
      policy: { verification_level: invocation.option('verify'), interaction: invocation.option('ask') },
      title: invocation.option('title'),
      category: invocation.option('category'),
      send_id: invocation.option('id'),
    } as unknown as NewSend;
    const { data } = await client.POST('/v1/products/notify/send', { body });
    if (!invocation.has('wait')) {
      context.output.result(data, data.send_id);
      return undefined;
    }
    context.output.note(`Accepted as ${data.send_id}.`);
    const report = await waitForDeliveries(context, client, data.send_id);
    printReport(context.output, report);
    return exitCodeOf(report);
  },
};

function channelsOf(invocation: Invocation): string[] | undefined {
  const given = invocation.optionList('channel');
  return given.length === 0 ? undefined : [...given];
}

function minutesOf(invocation: Invocation): number {
  return Math.floor(secondsWithin(invocation.option('expires') ?? '1d', 'expires', ['1m', '1d']) / 60);
}
