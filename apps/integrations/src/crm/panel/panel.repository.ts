import { Injectable } from '@nestjs/common';
import { PANEL_SECONDS, PANEL_TICKET_SECONDS } from '@vaultsvc/contracts/integrations';
import { lookupHash, mintBearer, parseBearer } from '@vaultsvc/crypto/tokens';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import type { CrmCaller, RecordKey } from '../crm-caller.js';

/** An open panel: the record and the person of whom its requests are, and nobody else's. */
export interface Panel {
  readonly accountId: string;
  readonly generation: number;
  readonly userId: string;
  readonly record: RecordKey;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/**
 * Tickets and bearers of panels, by their hash, so that a copy of the table opens nothing. PostgreSQL decides who has traded a
 * ticket (OPEN-66).
 */
@Injectable()
export class PanelRepository {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  /** A new ticket of a panel, for 60 seconds. */
  async issue({ installation, userId }: CrmCaller, record: RecordKey): Promise<string> {
    const ticket = mintBearer();
    const { accountId, appId, generation } = installation;
    const owner = [accountId, appId, generation, userId, record.object_type, record.record_id];
    await this.database.query(insertPanel, [
      lookupOf('panel-ticket', ticket),
      ...owner,
      PANEL_TICKET_SECONDS,
    ]);
    return ticket;
  }

  /** The panel of a ticket that is not traded yet; undefined for one that is unknown or expired. */
  async findTicket(appId: string, ticket: string): Promise<Panel | undefined> {
    const [row] = await this.database.query<Row>(findTicket, [lookupOf('panel-ticket', ticket), appId]);
    return row && panelOf(row);
  }

  /** Trades a ticket for the bearer of 15 minutes; undefined for one that is unknown, expired or used. */
  async tradeTicket(appId: string, ticket: string): Promise<{ panel: Panel; bearer: string } | undefined> {
    const bearer = mintBearer();
    const values = [lookupOf('panel-ticket', ticket), appId, lookupOf('panel', bearer), PANEL_SECONDS];
    const [row] = await this.database.query<Row>(tradeTicket, values);
    return row && { panel: panelOf(row), bearer };
  }

  /** The panel of a bearer; undefined for one that is unknown or expired. */
  async find(appId: string, bearer: string): Promise<Panel | undefined> {
    const [row] = await this.database.query<Row>(findPanel, [lookupOf('panel', bearer), appId]);
    return row && panelOf(row);
  }

  /** Deletes expired panels. */
  async run(): Promise<void> {
    await this.database.query(deleteExpired, []);
  }
}

/** No text of another form has the hash of a ticket or bearer. */
function lookupOf(kind: 'panel-ticket' | 'panel', text: string): Buffer | null {
  const bytes = parseBearer(text);
  return bytes ? lookupHash(kind, bytes) : null;
}

interface Row {
  readonly account_id: string;
  readonly generation: number;
  readonly user_id: string;
  readonly object_type: string;
  readonly record_id: string;
  readonly expires_at: number;
}

function panelOf({ account_id, generation, user_id, object_type, record_id, expires_at }: Row): Panel {
  const record = { object_type, record_id };
  return { accountId: account_id, generation, userId: user_id, record, expiresAt: expires_at };
}

const COLUMNS = `account_id, generation, user_id, object_type, record_id, ${epochSeconds('expires_at')}`;

const insertPanel = statement(
  'integrations.insert-panel',
  `INSERT INTO panels (lookup, account_id, app_id, generation, user_id, object_type, record_id, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))`,
);

const findTicket = statement(
  'integrations.find-ticket',
  `SELECT ${COLUMNS} FROM panels WHERE lookup = $1 AND app_id = $2 AND NOT is_open AND expires_at > now()`,
);

const tradeTicket = statement(
  'integrations.trade-ticket',
  `UPDATE panels SET lookup = $3, is_open = true, expires_at = now() + make_interval(secs => $4)
    WHERE lookup = $1 AND app_id = $2 AND NOT is_open AND expires_at > now() RETURNING ${COLUMNS}`,
);

const findPanel = statement(
  'integrations.find-panel',
  `SELECT ${COLUMNS} FROM panels WHERE lookup = $1 AND app_id = $2 AND is_open AND expires_at > now()`,
);

const deleteExpired = statement(
  'integrations.delete-expired-panels',
  `DELETE FROM panels WHERE expires_at <= now()`,
);
