import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes links by the time of their end, by which they are purged. */
export class IndexLinkEnds1764530000000 implements MigrationInterface {
  readonly name = 'IndexLinkEnds1764530000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX sparklinks_by_end ON sparklinks (link_type, least(consumed_at, revoked_at, expires_at))`,
    );
    await runner.query(`DROP INDEX sparklinks_by_expiry`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX sparklinks_by_expiry ON sparklinks (expires_at)`);
    await runner.query(`DROP INDEX sparklinks_by_end`);
  }
}
