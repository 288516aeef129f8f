import type { AccountContext, VaultContext } from '@vaultsvc/contracts';
import { readSpark, type SparkContent } from '@vaultsvc/contracts/sparks';
import { readStructured, type StructuredReading, type StructuredValue } from '@vaultsvc/contracts/vaults';
import { accountContext } from '@vaultsvc/testing/harness';
import type { SharingPlatform } from './sharing.js';
import { newStructuredShelf, type StructuredShelf } from './structured.js';

/** An answer with `?keys=`: values by the names of their keys. */
export interface Retrieved {
  readonly ingot_id: string;
  readonly values: Readonly<Record<string, StructuredValue>>;
  readonly missing_keys: readonly string[];
}

/** A vault with structured ingots, what callers do to retrieve their values, and the Sparks that come of it. */
export interface RetrievalShelf extends StructuredShelf, HeldSparks {
  /** The values of these keys; a text is the query as it is. */
  retrieve(
    reference: string,
    keys: readonly string[] | string,
    ttl?: number,
    context?: VaultContext,
  ): Promise<Retrieved>;
  /** What the Sparks of an answer give, by the names of their keys. Burns them. */
  read(answer: Retrieved): Promise<Map<string, SparkContent>>;
}

/** The Sparks of an account, by what sparks keeps and has told. */
interface HeldSparks {
  /** Those that were not read. */
  unread(): Promise<number>;
  /** Bytes that they hold in storage. */
  heldBytes(): Promise<number>;
}

export async function newRetrievalShelf(platform: SharingPlatform): Promise<RetrievalShelf> {
  const shelf = await newStructuredShelf(platform, accountContext());
  return {
    ...shelf,
    retrieve: async (ingot_id, keys, ttl, context = shelf.at('read')) => {
      const query = {
        keys: typeof keys === 'string' ? keys : keys.join(','),
        ...(ttl !== undefined && { ttl }),
      };
      const params = { vault_id: shelf.vault_id, ingot_id };
      return retrieved(await platform.call(readStructured, { params, query }, context));
    },
    read: async ({ values }) =>
      new Map(
        await Promise.all(
          Object.entries(values).map(
            async ([name, { spark_id }]) =>
              [name, await platform.call(readSpark, { params: { spark_id } }, shelf.caller)] as const,
          ),
        ),
      ),
    ...sparksOf(platform, shelf.caller),
  };
}

export function sparksOf({ sparksSql }: SharingPlatform, { credential }: AccountContext): HeldSparks {
  const figure = async (text: string) =>
    ((await sparksSql<{ figure: number }>(text, [credential.accountId]))[0] as { figure: number }).figure;
  return { unread: () => figure(UNREAD), heldBytes: () => figure(HELD) };
}

function retrieved({ ingot_id, values, missing_keys }: StructuredReading): Retrieved {
  if (!values || !missing_keys) throw new Error('an answer without values');
  return { ingot_id, values, missing_keys };
}

const UNREAD = `SELECT count(*) AS figure FROM sparks WHERE account_id = $1 AND status = 'active'`;

const HELD = `
  SELECT coalesce(sum(CASE name WHEN 'sparks.created' THEN 1 ELSE -1 END * (payload->>'size_bytes')::int), 0)::bigint AS figure
    FROM outbox
   WHERE payload->>'account_id' = $1
     AND name IN ('sparks.created', 'sparks.read', 'sparks.deleted', 'sparks.expired')`;
