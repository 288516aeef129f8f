import { Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { LABEL_DAYS } from '@vaultsvc/contracts/reporting';
import { sparkCreated, type SparkCreation } from '@vaultsvc/contracts/sparks';
import { Database, statement, type Transaction } from '@vaultsvc/database';

/** Labels of Sparks, kept for `LABEL_DAYS` outside the audit log, in which nothing that people type could be purged. */
@Injectable()
export class SparkLabelRepository {
  constructor(private readonly database: Database) {}

  /** Keeps the labels that these events carry. */
  async keep(tx: Transaction, deliveries: readonly Delivery[]): Promise<void> {
    const labelled = deliveries.flatMap(({ name, payload }) => {
      if (name !== sparkCreated.name) return [];
      const { spark_id, account_id, label = null } = payload as SparkCreation;
      return label === null ? [] : [{ spark_id, account_id, label }];
    });
    if (labelled.length > 0) await tx.query(keepLabels, [JSON.stringify(labelled), LABEL_DAYS]);
  }

  /** By the id of the Spark. */
  async find(accountId: string, sparkIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.query<{ id: string; label: string }>(findLabels, [accountId, sparkIds]);
    return new Map(rows.map(({ id, label }) => [id, label]));
  }
}

const keepLabels = statement(
  'history.keep-labels',
  `INSERT INTO spark_labels (spark_id, account_id, label, purge_at)
   SELECT spark_id, account_id, label, now() + make_interval(days => $2)
     FROM json_to_recordset($1) AS labelled (spark_id text, account_id text, label text)
   ON CONFLICT (spark_id) DO NOTHING`,
);

/** SPK-53: an entry may name any Spark; labels are those of the account. */
const findLabels = statement(
  'history.find-labels',
  `SELECT spark_id AS id, label FROM spark_labels WHERE spark_id = ANY($2::text[]) AND account_id = $1`,
);
