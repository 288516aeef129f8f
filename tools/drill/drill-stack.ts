import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { layOut } from '../image/layout.ts';
import { administratorFiles } from '../provision/administrators.ts';
import { migrationEnvironment } from '../stack/environment.ts';
import { Launcher } from '../stack/launcher.ts';
import { postgresDirs } from '../stack/postgres-folders.ts';
import { step } from '../stack/progress.ts';
import { loadSecrets, type Secrets } from '../stack/secrets.ts';
import { ensureBinaries } from '../stack/servers/install.ts';
import { freeStackPort } from '../stack/servers/ports.ts';
import { redisAdministrator } from '../stack/servers/redis-access.ts';
import { probeHttp } from '../stack/servers/probes.ts';
import { readSettings, statefulServices, workspace, type Settings } from '../stack/settings.ts';
import type { StackAccount } from '../stack/descriptor.ts';
import { readJson } from '../stack/private-files.ts';
import { buildCli } from '../build/cli.ts';

/** Heads become public so often in the stack, instead of once in an hour. */
const HEADS_EVERY_SECONDS = '2';

/** A stack whose services stop and start on demand, and the folder of an operator beside it. */
export class DrillStack {
  readonly #launcher: Launcher;
  readonly #folder: string;

  private constructor(launcher: Launcher, folder: string) {
    this.#launcher = launcher;
    this.#folder = folder;
  }

  /** In a temporary folder, on free ports; nothing runs yet. */
  static async make(): Promise<DrillStack> {
    const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-drill-'));
    // The launcher passes its environment to the services, as for `npm start`.
    Object.assign(process.env, { AUDIT_LOG_EVERY_SECONDS: HEADS_EVERY_SECONDS, LOG_LEVEL: 'warn' });
    const place = { VAULTSVC_DIR: join(folder, 'state'), VAULTSVC_PORT: String(await freeStackPort()) };
    const launcher = new Launcher(readSettings(place, []));
    return new DrillStack(launcher, folder);
  }

  get settings(): Settings {
    return this.#launcher.settings;
  }

  get apiOrigin(): string {
    return `http://127.0.0.1:${this.settings.ports.gateway}`;
  }

  get account(): StackAccount {
    return readJson<StackAccount>(this.settings.paths.account) as StackAccount;
  }

  /** A path in the folder of the operator, in which the commands run. */
  path(...names: string[]): string {
    return join(this.#folder, 'operator', ...names);
  }

  async start(): Promise<void> {
    await this.#launcher.start();
    await step('making the image and the files of the operator', async () => {
      await layOut(join(this.#folder, 'image'));
      await this.#writeOperatorFiles(loadSecrets(this.settings.paths));
    });
  }

  async stopServices(): Promise<void> {
    await Promise.all(this.#launcher.services.map((service) => service.stop()));
  }

  /** The gateway last. Each one is ready. */
  async startServices(): Promise<void> {
    const [gateway, ...others] = this.#launcher.services;
    await Promise.all(others.map((service) => service.start()));
    await gateway?.start();
    for (const { url } of this.#launcher.services) await probeHttp(`${url}/readyz`);
  }

  /** The environment of the operator's shell: the variables of the page, and the programs that it names first on PATH. */
  async environment(): Promise<Record<string, string>> {
    const { ports, paths } = this.settings;
    const { postgres, redisServer } = await ensureBinaries();
    const programs = [this.path('bin'), dirname(realpathSync(postgres)), dirname(redisServer)];
    return {
      PATH: [...programs, process.env.PATH].join(':'),
      HOME: this.path(),
      PGHOST: '127.0.0.1',
      PGPORT: String(ports.postgres),
      PGUSER: 'postgres',
      PGPASSWORD: loadSecrets(paths).postgres_password,
      DUMP: this.path('vaultsvc.dump'),
      IMAGE: join(this.#folder, 'image'),
      REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
      NATS_URL: `nats://127.0.0.1:${ports.nats}`,
      CHECKPOINT: this.path('checkpoint'),
      CHECKOUT: workspace,
      VAULTSVC_URL: this.apiOrigin,
      VAULTSVC_API_KEY: this.account.api_key,
    };
  }

  async #writeOperatorFiles(secrets: Secrets) {
    for (const name of ['administrator', 'migrations', 'bin'])
      mkdirSync(this.path(name), { recursive: true, mode: 0o700 });
    const accesses = {
      redis: { [redisAdministrator]: secrets.redis_passwords[redisAdministrator] ?? '' },
      natsAdministrator: secrets.nats_administrator,
    };
    for (const [name, content] of Object.entries(administratorFiles(accesses)))
      writeFileSync(this.path('administrator', name), content, { mode: 0o600 });
    for (const service of statefulServices)
      writeFileSync(this.path('migrations', `${service}.env`), this.#migrationSettings(service, secrets));
    await buildCli(this.path('bin', 'vaultsvc.mjs'));
    this.#writeProgram('vaultsvc', this.path('bin', 'vaultsvc.mjs'));
    this.#writeProgram('docker', join(workspace, 'tools/drill/docker.ts'));
  }

  /** Those that deploy/README.md says a migration job needs, and no others. */
  #migrationSettings(service: string, secrets: Secrets): string {
    const { DATABASE_URL } = migrationEnvironment(service, this.settings, secrets, {});
    return `DATABASE_URL=${DATABASE_URL}\nPROFILE=local\n`;
  }

  #writeProgram(name: string, script: string) {
    const line = `exec '${process.execPath}' '${script}' "$@"`;
    writeFileSync(this.path('bin', name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  }

  /** Stops everything that runs, and deletes it. */
  async remove(): Promise<void> {
    await this.#launcher.stop();
    for (const dir of postgresDirs(this.settings.paths)) rmSync(dir, { recursive: true, force: true });
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
