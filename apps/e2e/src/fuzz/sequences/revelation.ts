import type { KnownValues } from './known-values.js';

/** The Spark of a link, if the sequence knows it. */
export function sparkOf(linkCode: string, known: KnownValues): string | undefined {
  const values = known.anyRecordWith('link_code', linkCode, 'spark_id');
  return values?.['spark_id'] ?? known.anyRecordWith('link_code', linkCode, 'asset_id')?.['asset_id'];
}

/** Whether the opening of a link revealed its Spark: `confirm` and a description do not. */
export function isRevelation(data: unknown): boolean {
  return typeof data === 'object' && data !== null && ('payload' in data || 'url' in data);
}
