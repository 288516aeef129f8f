import { Injectable } from '@nestjs/common';
import { SealedTexts, type SealedText } from '@vaultsvc/crypto/data-keys';
import { Database, statement, type Queryable } from '@vaultsvc/database';

/** The content of a plaintext send, in clear. */
export interface InlineContent {
  readonly payload: string;
  readonly contentType: string;
}

/** Contents of plaintext sends, sealed. They are deleted with their send, after 7 days at most (NTF-23, NTF-26). */
@Injectable()
export class PlaintextRepository {
  constructor(
    private readonly database: Database,
    private readonly texts: SealedTexts,
  ) {}

  /** Before the transaction that stores it: sealing may wait for KMS. */
  seal(accountId: string, sendId: string, { payload }: InlineContent): Promise<SealedText> {
    return this.texts.seal([accountId, sendId], payload);
  }

  async insert(tx: Queryable, send: string, contentType: string, text: SealedText): Promise<void> {
    await tx.query(insertContent, [send, contentType, text.data_key_id, text.sealed]);
  }

  /** Undefined when the send has been deleted. */
  async open(accountId: string, sendId: string): Promise<InlineContent | undefined> {
    const [row] = await this.database.query<ContentRow>(readContent, [accountId, sendId]);
    return row && { payload: await this.texts.open([accountId, sendId], row), contentType: row.content_type };
  }
}

interface ContentRow extends SealedText {
  readonly content_type: string;
}

const insertContent = statement(
  'notify.insert-plaintext',
  `INSERT INTO plaintext_contents (send, content_type, data_key_id, sealed) VALUES ($1, $2, $3, $4)`,
);

const readContent = statement(
  'notify.read-plaintext',
  `SELECT c.content_type, c.data_key_id, c.sealed
     FROM plaintext_contents c JOIN sends s ON s.id = c.send WHERE s.account_id = $1 AND s.send_id = $2`,
);
