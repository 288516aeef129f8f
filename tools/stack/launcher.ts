import { basename } from 'node:path';
import { banner } from './banner.ts';
import { appsToBuild, build, buildForDevelopment, buildWeb, webStamp } from './build.ts';
import { provisionShards } from './database.ts';
import {
  describeStack,
  removeDescriptor,
  writeDescriptor,
  type StackAccount,
  type StackDescription,
} from './descriptor.ts';
import { appCredentials } from './environment.ts';
import { completeClusters, isClustered, shardPostgres } from './cluster-servers.ts';
import { prepareInfrastructure, removeData } from './infrastructure.ts';
import { announceInstallation, missingParts, type Missing } from './installation.ts';
import { kmsInspector } from './kms-callers.ts';
import { releaseLock, acquireLock } from './lock.ts';
import { rotateLogs } from './logs/rotation.ts';
import { natsUrlOf } from './nats-users.ts';
import { InstallPackages } from './install-packages.ts';
import { installNodeModules } from './node-modules.ts';
import { assertPortsFree } from './port-owner.ts';
import { createPrivateFolder, readJson, writePrivateJson } from './private-files.ts';
import { say, seconds, step } from './progress.ts';
import { reportRunningStack } from './running-stack.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import type { Binaries } from './servers/binaries.ts';
import { reapChildren } from './servers/children.ts';
import { ensureBinaries } from './servers/install.ts';
import type { Server } from './servers/server.ts';
import { createFirstAccount, migrate, prepareServices, programPath, runProgram } from './services.ts';
import { services, type Settings } from './settings.ts';
import { assertSameMode } from './stack-mode.ts';
import { Supervisor } from './supervisor.ts';
import { reloadAll, WatchedService, watchSources } from './watch.ts';

/** Starts and stops the local stack: `npm start` until Ctrl-C. */
export class Launcher {
  #infrastructure: Server[] = [];
  #services: Server[] = [];
  #hasLock = false;
  #isStopping = false;
  #packages: InstallPackages | undefined;
  #describe = () => {};
  #supervisor = new Supervisor({ onEvent: (text) => say(`  ${text}`), onChange: () => this.#describe() });

  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /**
   * Starts the stack and waits until it is ready.
   * @returns false when another launcher already runs this stack
   */
  async start(): Promise<boolean> {
    const { paths, isFresh, isWatching, mayInstall } = this.settings;
    const startedAt = Date.now();
    say(`vaultsvc, local stack in ${paths.dir}`);
    const missing = missingParts();
    announceInstallation(missing, { mayInstall });
    createPrivateFolder(paths.dir);
    const owner = acquireLock(paths.lock);
    if (owner) return reportRunningStack(owner, this.settings);
    this.#hasLock = true;
    await this.#cleanUpEarlierStart();
    if (isFresh) await this.#step('deleting the data', () => removeData(paths));
    assertSameMode(this.settings);
    for (const folder of [paths.objects, paths.auditLog]) createPrivateFolder(folder);
    await assertPortsFree(this.settings);
    const stack = await this.#bringUp(missing);
    this.#describe = () => writeDescriptor(paths, describeStack(this.settings, stack));
    this.#describe();
    this.#packages?.make();
    if (isWatching) this.#watch(stack);
    say(`\n  Ready in ${seconds(startedAt)}.`);
    return true;
  }

  /** What a person needs to use the running stack. */
  banner(): string {
    const { descriptor, dir } = this.settings.paths;
    return banner(readJson(descriptor) as StackDescription, dir);
  }

  /** Removes what an earlier launcher left behind: its descriptor, its children if it was killed, its logs. */
  async #cleanUpEarlierStart() {
    const { paths } = this.settings;
    removeDescriptor(paths);
    const reaped = await reapChildren(paths.children);
    if (reaped.length > 0) say(`  stopped ${reaped.length} processes of an earlier start`);
    createPrivateFolder(paths.logs);
    rotateLogs(paths.logs);
  }

  /** Each step waits only for what it needs: servers are installed beside node modules, and started beside the build. */
  async #bringUp({ nodeModules, packages }: Missing) {
    const { settings } = this;
    const binaries = ensureBinaries();
    if (nodeModules) await this.#step('installing node modules', () => installNodeModules('stack'));
    const secrets = loadSecrets(settings.paths);
    const servers = binaries.then((found) => this.#startServers(secrets, found));
    const rebuild = await this.#build();
    this.#packages = new InstallPackages(this.settings);
    if (packages.length > 0) await this.#step(`installing ${packages.join(', ')}`, () => binaries);
    const urls = await this.#step(
      'starting PostgreSQL, Redis, NATS, KMS, sign-in, mail, providers',
      () => servers,
    );
    await this.#step('migrating', () => migrate(settings, secrets));
    await this.#step('starting the services', () => this.#startServices(secrets));
    const account =
      readJson<StackAccount>(settings.paths.account) ??
      (await this.#step('creating the first account', () => this.#firstAccount(secrets)));
    return {
      secrets,
      rebuild,
      account,
      ...urls,
      natsUrl: natsUrlOf(settings, secrets),
      kmsSecret: secrets.kms_secrets[kmsInspector] ?? '',
      apps: appCredentials(secrets),
      infrastructure: this.#infrastructure,
      services: this.#services,
    };
  }

  /** @returns the rebuild functions of the services; empty outside of development */
  async #build(): Promise<Map<string, () => Promise<void>>> {
    if (this.settings.isWatching) {
      await this.#step('building the web application', buildWeb);
      return this.#step('building for development', buildForDevelopment);
    }
    const apps = appsToBuild(this.settings);
    if (apps.length > 0)
      await this.#step(`building ${appNames(apps)}`, () => Promise.all([build(apps), buildWeb()]));
    else await buildWeb();
    return new Map();
  }

  /** Runs one step of the start, unless the stack is being stopped. */
  #step<T>(title: string, work: (note: (text: string) => void) => Promise<T> | T) {
    this.#assertNotStopping();
    return step(title, work);
  }

  #assertNotStopping() {
    if (this.#isStopping) throw new Error('Stopped while starting.');
  }

  /** The services, for a drill that stops and starts them; the supervisor restarts none that was stopped so. */
  get services(): readonly Server[] {
    return this.#services;
  }

  async #startServers(secrets: Secrets, binaries: Binaries) {
    const { settings } = this;
    const prepared = await prepareInfrastructure(settings, secrets, binaries);
    this.#assertNotStopping();
    this.#infrastructure = prepared;
    await Promise.all(prepared.map((server) => server.start()));
    const standbys = isClustered(settings)
      ? await completeClusters(settings, secrets, binaries, prepared)
      : [];
    this.#infrastructure = [...prepared, ...standbys];
    // The wait for standbys may last a minute.
    this.#assertNotStopping();
    for (const server of this.#infrastructure) this.#supervisor.watch(server);
    return provisionShards(secrets, shardPostgres, this.#infrastructure);
  }

  async #startServices(secrets: Secrets) {
    this.#services = prepareServices(this.settings, secrets);
    await Promise.all(this.#services.map((service) => service.start()));
    for (const service of this.#services) this.#supervisor.watch(service);
  }

  async #firstAccount(secrets: Secrets) {
    const account = await createFirstAccount(this.settings, secrets);
    writePrivateJson(this.settings.paths.account, account);
    return account;
  }

  /** Restarts services after edits of their sources. */
  #watch({ secrets, rebuild }: { secrets: Secrets; rebuild: Map<string, () => Promise<void>> }) {
    const { settings } = this;
    const watched = this.#services.map((server) => {
      const migrateSchema = () => runProgram(server.name, 'migrate', [], settings, secrets);
      const isGateway = server.name === 'gateway';
      const pathOf = (program: string) =>
        isGateway && program === 'web' ? webStamp : programPath(settings, server.name, program);
      const rebuildServices = rebuild.get(server.name) ?? (async () => {});
      const build = async () => {
        if (isGateway) await buildWeb();
        await rebuildServices();
      };
      return new WatchedService(server, {
        build,
        pathOf,
        migrate: migrateSchema,
        onChange: () => this.#describe(),
      });
    });
    watchSources(() => reloadAll(watched));
  }

  /** Stops all processes of the stack, services first, and keeps the data. */
  async stop() {
    this.#isStopping = true;
    if (!this.#hasLock) return;
    say('\n  stopping …');
    this.#supervisor.stop();
    this.#packages?.stop();
    removeDescriptor(this.settings.paths);
    await Promise.all(this.#services.map((service) => service.stop()));
    await Promise.all(this.#infrastructure.map((server) => server.stop()));
    await reapChildren(this.settings.paths.children);
    releaseLock(this.settings.paths.lock);
    say('  stopped; the data is kept');
  }
}

const appNames = (apps: readonly string[]) =>
  apps.length >= services.length ? 'the services' : apps.map((app) => basename(app)).join(', ');
