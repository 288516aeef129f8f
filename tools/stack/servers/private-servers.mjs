import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBinaries } from './install.mjs';
import { kmsPlan } from './kms.mjs';
import { natsPlan } from './nats.mjs';
import { freePort } from './ports.mjs';
import { createCluster, postgresPlan } from './postgres.mjs';
import { redisPlan } from './redis.mjs';
import { Server } from './server.mjs';

/**
 * Throwaway servers for tests, each on a free port with its data in one folder: fast rather than durable.
 */
export class PrivateServers {
  /** @param {string} dir exists; whoever made it removes it */
  constructor(dir) {
    this.dir = dir;
    this.childrenDir = join(dir, 'children');
    // PostgreSQL may run as another user, who must be able to pass through.
    chmodSync(dir, 0o711);
  }

  /** @param {string} name */
  async #place(name) {
    const home = join(this.dir, `${name}-${randomBytes(4).toString('hex')}`);
    mkdirSync(home, { mode: 0o711 });
    const shared = { dataDir: join(home, 'data'), logPath: join(home, 'log'), childrenDir: this.childrenDir };
    return { ...shared, binaries: await ensureBinaries(), port: await freePort(), isDurable: false };
  }

  async startPostgres() {
    const options = { ...(await this.#place('postgres')), password: randomBytes(18).toString('base64url') };
    await createCluster(options);
    return new Server(postgresPlan(options)).start();
  }

  async startRedis() {
    // Durable, because a kill test wants to see what a restart brings back.
    const options = { ...(await this.#place('redis')), isDurable: true, databases: 512 };
    return new Server(redisPlan(options)).start();
  }

  async startNats() {
    return new Server(natsPlan(await this.#place('nats'))).start();
  }

  async startKms() {
    return new Server(kmsPlan(await this.#place('kms'))).start();
  }
}
