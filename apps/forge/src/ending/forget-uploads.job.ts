import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';
import { Repeating } from '@vaultsvc/service';

const INTERVAL_MS = 600_000;
const BATCH_MAX = 500;

/** As long as an ISTK is remembered (OPEN-50): /progress tells of the upload behind it. */
const REMEMBERED_DAYS = 30;

/** Forgets dropped versions when they are swept to the end and nobody asks for them. Any number of copies may. */
@Injectable()
export class ForgetUploads implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #repeating = new Repeating('forget-uploads', async () => {
    await this.run();
    return INTERVAL_MS;
  });

  constructor(@Inject(Database) private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.#repeating.start(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#repeating.stop();
  }

  /** Works until nothing is due. */
  async run(): Promise<void> {
    while ((await this.database.query(forgetDropped, [BATCH_MAX])).length > 0);
  }
}

const forgetDropped = statement(
  'forge.forget-dropped',
  `DELETE FROM uploads WHERE version_id IN (
     SELECT version_id FROM uploads
      WHERE status = 'dropped' AND sweep_at IS NULL AND ended_at <= now() - interval '${REMEMBERED_DAYS} days'
      ORDER BY ended_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING version_id`,
);
