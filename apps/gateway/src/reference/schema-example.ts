import type { JsonSchema } from '@vaultsvc/contracts';

const EPOCH_SECONDS_MAX = 99_999_999_999;

/** A plausible value of a schema, for the reference. Ids have their format; other texts are the name of their field. */
export function exampleOf(schema: JsonSchema, name = 'text'): unknown {
  const type = Array.isArray(schema.type) ? (schema.type[0] as string) : schema.type;
  if (type === 'null') return null;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (type === 'object')
    return schema.properties ? exampleOfFields(schema.properties) : exampleOfKeys(schema);
  if (type === 'array') return [exampleOf(schema.items as JsonSchema, name)];
  if (type === 'integer' || type === 'number') return exampleNumber(schema, name);
  if (type === 'boolean') return true;
  return exampleText(schema, name);
}

function exampleOfFields(properties: Readonly<Record<string, JsonSchema>>): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, exampleOf(field, name)]),
  );
}

/** An object whose keys the caller chooses, with any values or with values of one schema. */
function exampleOfKeys({ additionalProperties: values }: JsonSchema): object {
  if (values === undefined) return { key: 'value' };
  return { db_password: typeof values === 'object' ? exampleOf(values) : 'correct horse battery staple' };
}

function exampleNumber({ minimum, maximum }: JsonSchema, name: string): number {
  if (maximum === EPOCH_SECONDS_MAX) return 1_790_000_000;
  // The length of the example of random data.
  if (name === 'num_bytes') return 32;
  return Math.max(minimum ?? 1, 1);
}

/** Values of fields whose format is not in their schema. */
const byName = new Map([
  ['content_type', 'text/plain'],
  ['currency', 'eur'],
  ['domain', 'example.com'],
  ['email', 'ana@example.com'],
  ['identity', 'ana@example.com'],
  ['invites', 'ana@example.com'],
  ['verified_by', 'ana@example.com'],
  ['recipients', 'ana@example.com'],
  ['recipient', 'ana@example.com'],
  ['category', 'invoices'],
  ['mandatory_seal_categories', 'security'],
  ['configured_channels', 'in_app'],
  ['token', 'bk3RNwTe3H0CI2k_HHwgIpoDKCIZvvDM'],
  ['token_ending', 'IZvvDM'],
  ['send_id', 'invoice-2041'],
  ['secret', 'whsec_kBQ0dvOZ8e4x6vPzT9yqL2mWcR7sJfH1nUaXgYbE3iM='],
  ['url', 'https://example.com/hooks/vaultsvc'],
  ['link_code', 'Zk4mQ9vT2xW7rB1nLs8YpA'],
  ['link_url', 'https://example.com/Zk4mQ9vT2xW7rB1nLs8YpA'],
  ['share_url', 'https://example.com/Zk4mQ9vT2xW7rB1nLs8YpA'],
  ['bound_ip', '203.0.113.9'],
  ['last4', 'x7Qa'],
  ['total_storage_gb', '0.25'],
  ['last_4_chars', 'x7Qa'],
  // An id, or a colon and a name, so its schema accepts any text.
  ['ingot_id', 'ing_6nQ0bVtX4yKfWm2RzLc8Ha'],
  ['app_slug', 'chatapp'],
  ['app_id', 'chatapp'],
  ['code', 'b4a9c1d27e'],
  ['redirect_uri', 'https://example.com/callback'],
  ['object_type', 'contact'],
  ['record_id', '12345'],
  ['portal_id', '62515000'],
  ['org_id', '00D5g000004ABCD'],
  ['team_id', 'T1DC2JH3J'],
  ['user_id', '101'],
  ['date', '2026-11-24'],
  ['start_date', '2026-11-01'],
  ['end_date', '2026-11-24'],
  ['event_type', 'secret_sent'],
  ['keys', 'db_password'],
  ['delete', 'old_token'],
  ['missing_keys', 'api_token'],
  ['plan', 'team'],
  ['value', 'c7a01f5be2d94386b0739ed4415c8fa2603be97d18f24a5c0e6d7b91f3a82c54'],
  ['opening', '1d9e40b7f6a2583cc05b8e7214f39ad6e7718c20b54f6d93a0821cbe4f57360d'],
  // RFC 7636, appendix B.
  ['code_verifier', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
]);

function exampleText({ pattern, format }: JsonSchema, name: string): string {
  const [, prefix] = /^\^([a-z]+)_\[0-9A-Za-z\]/.exec(pattern ?? '') ?? [];
  if (prefix) return `${prefix}_6nQ0bVtX4yKfWm2RzLc8Ha`;
  if (pattern === '^\\d{6}$') return '417093';
  if (format === 'uri') return 'https://example.com/logo.svg';
  return byName.get(name) ?? name.replaceAll('_', ' ');
}
