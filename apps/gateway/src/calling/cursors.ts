import { Injectable } from '@nestjs/common';
import { AppError, type PublicOperation } from '@vaultsvc/contracts';
import { CursorCodec, type CursorScope, type CursorValue } from '@vaultsvc/crypto/mac';
import { GatewayConfig } from '../config.js';

type Query = Record<string, CursorValue | undefined>;
type Filters = Record<string, CursorValue>;

/**
 * Signs and opens list cursors, so that services see plain positions and no caller makes one up (OPEN-51). A cursor
 * carries the filters its list was begun with: they win, and an explicit one that differs is refused.
 */
@Injectable()
export class Cursors {
  readonly #codec: CursorCodec;

  constructor(config: GatewayConfig) {
    this.#codec = new CursorCodec(config.CURSOR_KEY.reveal());
  }

  /** Puts the plain position and its filters into a decoded query. Throws CURSOR_INVALID. */
  open(op: PublicOperation, scope: CursorScope, query: object, given: URLSearchParams): void {
    const values = query as Query;
    if (!op.cursor || values.cursor === undefined) return;
    const opened = this.#codec.open(scope, String(values.cursor));
    if (!opened) throw new AppError('CURSOR_INVALID');
    const asked = filtersOf(values);
    for (const name of Object.keys(asked)) {
      if (given.has(name) && asked[name] !== (opened.filters[name] ?? null))
        throw new AppError('CURSOR_INVALID');
      values[name] = opened.filters[name] ?? undefined;
    }
    Object.assign(values, opened.filters, { cursor: opened.position });
  }

  /** The reply with its position signed; other replies go through as the bytes they are. */
  sign(op: PublicOperation, scope: CursorScope, query: object | undefined, reply: Uint8Array): Uint8Array {
    if (!op.cursor) return reply;
    const data = JSON.parse(Buffer.from(reply).toString()) as Record<string, unknown>;
    const position = data[op.cursor];
    if (typeof position !== 'string') return reply;
    const filters = filtersOf((query ?? {}) as Query);
    return Buffer.from(
      JSON.stringify({ ...data, [op.cursor]: this.#codec.sign(scope, { position, filters }) }),
    );
  }
}

/** `limit` may change between pages; everything else belongs to the list. */
function filtersOf({ cursor: _cursor, limit: _limit, ...filters }: Query): Filters {
  return Object.fromEntries(
    Object.entries(filters).filter((entry): entry is [string, CursorValue] => entry[1] !== undefined),
  );
}
