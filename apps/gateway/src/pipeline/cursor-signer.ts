import { Injectable } from '@nestjs/common';
import { AppError, type PublicOperation } from '@vaultsvc/contracts';
import { CursorCodec, type CursorScope, type CursorValue } from '@vaultsvc/crypto/mac';
import { GatewayConfig } from '../config.js';

type Query = Record<string, CursorValue | undefined>;
type Filters = Record<string, CursorValue>;

/**
 * Signs list cursors and verifies them, so that services see plain positions and callers cannot forge one (OPEN-51). A
 * cursor carries the filters of its first page; a query with a different filter is refused.
 */
@Injectable()
export class CursorSigner {
  readonly #codec: CursorCodec;

  constructor(config: GatewayConfig) {
    const [key, ...previousKeys] = config.CURSOR_KEY.reveal();
    this.#codec = new CursorCodec(key, { previousKeys });
  }

  /** Replaces the cursor of a decoded query by its plain position and filters. Throws CURSOR_INVALID. */
  open(op: PublicOperation, scope: CursorScope, query: object, given: URLSearchParams): void {
    const values = query as Query;
    if (!op.cursor || values.cursor === undefined) return;
    const opened = this.#codec.open(scope, String(values.cursor));
    if (!opened) throw new AppError('CURSOR_INVALID');
    const requested = filtersOf(values);
    for (const name of Object.keys(requested)) {
      if (given.has(name) && requested[name] !== (opened.filters[name] ?? null))
        throw new AppError('CURSOR_INVALID');
      values[name] = opened.filters[name] ?? undefined;
    }
    Object.assign(values, opened.filters, { cursor: opened.position });
  }

  /**
   * The reply with its position signed, under the name of its list and under that of all lists, which the service of an older
   * release does not send (AMB-03). Replies without a cursor are returned unchanged.
   */
  sign(op: PublicOperation, scope: CursorScope, query: object | undefined, reply: Uint8Array): Uint8Array {
    if (!op.cursor) return reply;
    const data = JSON.parse(Buffer.from(reply).toString()) as Record<string, unknown>;
    const position = data[op.cursor];
    if (typeof position !== 'string') return reply;
    const filters = filtersOf((query ?? {}) as Query);
    const next_cursor = this.#codec.sign(scope, { position, filters });
    return Buffer.from(JSON.stringify({ ...data, [op.cursor]: next_cursor, next_cursor }));
  }
}

/** All query fields but `limit`, which may change between pages. */
function filtersOf({ cursor: _cursor, limit: _limit, ...filters }: Query): Filters {
  return Object.fromEntries(
    Object.entries(filters).filter((entry): entry is [string, CursorValue] => entry[1] !== undefined),
  );
}
