import type { AccountContext, VaultContext } from '@vaultsvc/contracts';
import { readSpark, type SparkContent } from '@vaultsvc/contracts/sparks';
import { readStructured, type StructuredReading, type StructuredValue } from '@vaultsvc/contracts/vaults';
import { accountContext } from '@vaultsvc/testing/harness';
import type { SharingPlatform } from './sharing.js';
import { newStructuredFixture, type StructuredFixture } from './structured.js';

/** An answer with `?keys=`: Sparks by key name. */
export interface Retrieved {
  readonly ingot_id: string;
  readonly values: Readonly<Record<string, StructuredValue>>;
  readonly missing_keys: readonly string[];
}

/** A structured ingot fixture with retrievals, and the Sparks that they create. */
export interface RetrievalFixture extends StructuredFixture, UnreadSparks {
  /** Retrieves these keys; a string is passed as the query unchanged. */
  retrieve(
    reference: string,
    keys: readonly string[] | string,
    ttl?: number,
    context?: VaultContext,
  ): Promise<Retrieved>;
  /** Reads the Sparks of an answer, by key name, which burns them. */
  read(answer: Retrieved): Promise<Map<string, SparkContent>>;
}

/** The unread Sparks of an account, by the rows and the events of sparks. */
interface UnreadSparks {
  /** Their number. */
  unread(): Promise<number>;
  /** The storage that they use. */
  heldBytes(): Promise<number>;
}

export async function newRetrievalFixture(platform: SharingPlatform): Promise<RetrievalFixture> {
  const fixture = await newStructuredFixture(platform, accountContext());
  return {
    ...fixture,
    retrieve: async (ingot_id, keys, ttl, context = fixture.at('read')) => {
      const query = {
        keys: typeof keys === 'string' ? keys : keys.join(','),
        ...(ttl !== undefined && { ttl }),
      };
      const params = { vault_id: fixture.vault_id, ingot_id };
      return retrieved(await platform.call(readStructured, { params, query }, context));
    },
    read: async ({ values }) =>
      new Map(
        await Promise.all(
          Object.entries(values).map(
            async ([name, { spark_id }]) =>
              [name, await platform.call(readSpark, { params: { spark_id } }, fixture.caller)] as const,
          ),
        ),
      ),
    ...sparksOf(platform, fixture.caller),
  };
}

export function sparksOf({ sparksSql }: SharingPlatform, { credential }: AccountContext): UnreadSparks {
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
    FROM recorded_events
   WHERE payload->>'account_id' = $1
     AND name IN ('sparks.created', 'sparks.read', 'sparks.deleted', 'sparks.expired')`;
