import type { Command } from '../command-line/command.js';
import { UsageError } from '../failures.js';

const formats = [
  'hex',
  'base64',
  'base64url',
  'alphanumeric',
  'alphanumeric-mixed',
  'password',
  'numeric',
  'uuid',
] as const;

/** `vaultsvc random` */
export const randomCommand: Command = {
  name: 'random',
  summary: 'Prints random data from the hardware-backed source of the service.',
  arguments: [
    {
      name: 'length',
      summary: 'Bytes, or characters of password, alphanumeric and numeric. Default: 32.',
      isOptional: true,
      field: 'num_bytes',
    },
  ],
  options: {
    format: { value: 'format', summary: 'The form of the value.', choices: formats },
  },
  examples: [
    ['A key of 256 bits in hex', 'vaultsvc random'],
    ['A password of 20 characters', 'vaultsvc random 20 --format password'],
    ['A password that nobody sees, as a link', 'vaultsvc random 24 --format password | vaultsvc send'],
  ],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const num_bytes = lengthOf(invocation.optionalArgument('length') ?? '32');
    const format = (invocation.option('format') ?? 'hex') as (typeof formats)[number];
    const { data } = await api
      .client()
      .POST('/v1/entropy/generate', { body: { format, num_bytes, with_commitment: false } });
    output.result(data, String(data.value));
  },
};

function lengthOf(text: string): number {
  const length = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (length < 1 || length > 1_024) throw new UsageError('The length is 1 to 1024.');
  return length;
}
