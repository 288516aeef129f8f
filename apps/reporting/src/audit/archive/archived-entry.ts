/** An entry of a chain in the archive. */
export interface ArchivedEntry {
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly type: string;
  readonly bodyHash: Buffer;
  /** Undefined once it is erased: in the database before the entry was archived, or with the key of its vault. */
  readonly content: ArchivedContent | undefined;
}

/** The erasable part of an entry. */
export interface ArchivedContent {
  readonly vaultId: string | null;
  readonly ingotId: string | null;
  readonly appId: string | null;
  readonly actorId: string | null;
  /** 32 random bytes. */
  readonly salt: Buffer;
  /** Canonical JSON, exactly as it was hashed. */
  readonly body: string;
}

/** Entries that a list asks for. A member that is absent selects nothing. */
export interface ArchiveQuery {
  /** Entries of this integration; null: of none, which are those of the account, its vaults and ingots. */
  readonly appId: string | null;
  /** undefined: of any type. */
  readonly types?: readonly string[] | undefined;
  readonly vaultId?: string | undefined;
  readonly ingotId?: string | undefined;
  readonly actorId?: string | undefined;
  /** Epoch seconds: from `from` on, and before `to`. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Whether an entry that is not erased is among those of a query. */
export function matchesQuery(entry: ArchivedEntry, query: ArchiveQuery): boolean {
  const { content, type, at } = entry;
  const { types, vaultId, ingotId, actorId, from = -Infinity, to = Infinity } = query;
  return (
    content !== undefined &&
    content.appId === query.appId &&
    (types === undefined || types.includes(type)) &&
    (vaultId === undefined || content.vaultId === vaultId) &&
    (ingotId === undefined || content.ingotId === ingotId) &&
    (actorId === undefined || content.actorId === actorId) &&
    at >= from * 1_000 &&
    at < to * 1_000
  );
}

/** The values by which the filter of a segment finds an entry. */
export function filterValuesOf({ type, content }: ArchivedEntry): readonly string[] {
  if (!content) return [];
  const { vaultId, ingotId, appId, actorId, body } = content;
  if (appId !== null) return [`app:${appId}`];
  const subject = subjectOfOutcome(type, body);
  return [
    `type:${type}`,
    ...(vaultId === null ? [] : valuesOf(`vault:${vaultId}`, type)),
    ...(ingotId === null ? [] : valuesOf(`ingot:${ingotId}`, type)),
    ...(actorId === null ? [] : valuesOf(`actor:${actorId}`, type)),
    ...(subject === undefined ? [] : [`subject:${subject}`]),
  ];
}

/** With and without the type: a search for an id of any type asks for one value, which is seldom found by chance. */
function valuesOf(of: string, type: string): readonly string[] {
  return [of, `${of}:${type}`];
}

/** Lists of values: a segment with entries of the query has at least one value of each list. */
export function valuesOfQuery(query: ArchiveQuery): readonly (readonly string[])[] {
  const { appId, types, vaultId, ingotId, actorId } = query;
  if (appId !== null) return [[`app:${appId}`]];
  const ids = [
    ...(ingotId !== undefined ? [`ingot:${ingotId}`] : vaultId !== undefined ? [`vault:${vaultId}`] : []),
    ...(actorId === undefined ? [] : [`actor:${actorId}`]),
  ];
  const ofTypes =
    types && (ids.length > 0 ? ids : ['type']).map((of) => types.map((type) => `${of}:${type}`));
  return [...ids.map((id) => [id]), ...(ofTypes ?? [])];
}

const OUTCOMES: ReadonlySet<string> = new Set([
  'spark_read',
  'spark_deleted',
  'sparklink_created',
  'sparklink_accessed',
  'sparklink_deleted',
  'sparklink_revoked',
]);

interface BodyOfOutcome {
  readonly details?: {
    readonly spark_id?: string;
    readonly link_id?: string;
    readonly link_type?: string;
    readonly asset_id?: string;
  };
}

/** The Spark, or the link of an ingot, that an entry opens, ends or gives a link; undefined for other entries. */
export function subjectOfOutcome(type: string, body: string): string | undefined {
  if (!OUTCOMES.has(type)) return undefined;
  const { spark_id, link_id, link_type, asset_id } = (JSON.parse(body) as BodyOfOutcome).details ?? {};
  return spark_id ?? (link_type === 'ingot' ? link_id : asset_id);
}
