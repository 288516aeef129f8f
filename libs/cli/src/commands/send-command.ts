import type { Client } from '@vaultsvc/client';
import { identityTypeOf } from '@vaultsvc/contracts/identity';
import type { Command } from '../command-line/command.js';
import { UsageError } from '../failures.js';
import type { Invocation } from '../command-line/invocation.js';
import { secondsWithin } from '../duration.js';
import { readPayload } from './payload-input.js';

const MINUTES_MAX = 1_440;

/** `vaultsvc send` */
export const sendCommand: Command = {
  name: 'send',
  summary: 'Sends a secret: prints a link that opens once.',
  arguments: [
    { name: 'file', summary: 'A file, or - for the standard input.', isOptional: true, isFile: true },
  ],
  options: {
    expires: {
      value: 'duration',
      summary: 'How long the link lives: 1m to 1d. The default is 1d.',
      field: 'ttl_minutes',
    },
    for: {
      value: 'address',
      summary: 'Only this e-mail address or phone number can open the link.',
      field: 'invites',
    },
    label: {
      value: 'text',
      summary: 'A note for lists, 1 to 100 characters. It is not encrypted: never a secret.',
      field: 'label',
    },
  },
  notes: [
    'Without a file, the secret is piped in, or typed on the terminal without echo. A Spark holds 256,000 bytes.',
  ],
  examples: [
    ['Type a password', 'vaultsvc send'],
    ['Pipe one', 'pass show db/prod | vaultsvc send --expires 1h'],
    ['With a note for your lists', 'vaultsvc send --label "Key of the test server" key.pem'],
    ['A file for Ann alone, who gets an invitation', 'vaultsvc send key.pem --for ann@example.com'],
  ],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const recipient = recipientOf(invocation);
    const ttl_minutes = minutesOf(invocation);
    const client = api.client();
    const payload = await readPayload(invocation.context, invocation.optionalArgument('file'));
    const label = invocation.option('label');
    const body = { ...payload, ttl_minutes, with_kindling: false, ...(label !== undefined && { label }) };
    const { data: spark } = await client.POST('/v1/sparks', { body });
    const link = await share(client, spark.spark_id, recipient).catch(async (error: unknown) => {
      // Nobody could open it, and nobody knows of it.
      await client
        .DELETE('/v1/sparks/{spark_id}', { params: { path: { spark_id: spark.spark_id } } })
        .catch(() => undefined);
      throw error;
    });
    output.result({ spark_id: spark.spark_id, ...link }, link.share_url);
    const expiry = new Date(link.expires_at * 1_000).toISOString();
    output.note(`${recipient ?? 'Anyone with the link'} can open it once, until ${expiry}.`);
  },
};

/** Checked before a Spark is created, which without its recipient would be lost. */
function recipientOf(invocation: Invocation): string | undefined {
  const address = invocation.option('for');
  if (address !== undefined && identityTypeOf(address) === undefined)
    throw new UsageError(
      '--for must be an e-mail address alone, such as ann@example.com, or a phone number such as +4930123456.',
    );
  return address;
}

function minutesOf(invocation: Invocation): number {
  const text = invocation.option('expires');
  if (text === undefined) return MINUTES_MAX;
  return Math.floor(secondsWithin(text, 'expires', ['1m', '1d']) / 60);
}

async function share(client: Client, spark_id: string, recipient: string | undefined) {
  const body =
    recipient === undefined
      ? { visibility: 'public' as const }
      : { visibility: 'invite_only' as const, invites: [recipient] };
  const options = { params: { path: { spark_id } }, body };
  return (await client.PATCH('/v1/sparks/{spark_id}/share', options)).data;
}
