import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { provisionDatabase } from '../stack/database.ts';
import { migrationEnvironment, serviceEnvironment } from '../stack/environment.ts';
import { prepareInfrastructure } from '../stack/infrastructure.ts';
import { loadSecrets, type Secrets } from '../stack/secrets.ts';
import { ensureBinaries, ensureTools } from '../stack/servers/install.ts';
import { freePort, freeStackPort } from '../stack/servers/ports.ts';
import { probeHttp } from '../stack/servers/probes.ts';
import { inspector } from '../stack/servers/redis-access.ts';
import { redisPlan, redisUrl } from '../stack/servers/redis.ts';
import { primaryName, sentinelPlan } from '../stack/servers/sentinel.ts';
import { Server } from '../stack/servers/server.ts';
import { nodeFlags } from '../stack/services.ts';
import { readSettings, services, statefulServices, type Settings } from '../stack/settings.ts';
import { haproxyPlan } from './haproxy.ts';
import type { ReleaseTree } from './release-tree.ts';

const run = promisify(execFile);
export const COPIES = 2;

/** Long enough for HAProxy to see that a copy leaves. */
const SHUTDOWN_DELAY_MS = '2000';

/** Ports of one copy of a service; they stay the same when the copy is replaced. */
interface CopyPorts {
  readonly privatePort: number;
  readonly httpPort: number;
  readonly linkPort: number;
  readonly filesPort: number;
}

/** The servers of a platform, and copies of its services, which may be of different releases, behind HAProxy. */
export class RollingPlatform {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vaultsvc-rolling-'));
  #settings!: Settings;
  #secrets!: Secrets;
  #sentinelUrl = '';
  readonly servers = new Map<string, Server>();
  /** By `<service> <copy>`. */
  readonly copies = new Map<string, Server>();
  readonly #ports = new Map<string, CopyPorts>();
  postgresUrl = '';
  readonly #services: readonly string[];
  readonly #given: Readonly<Record<string, string>>;

  /**
   * @param run the services that it has; by default all
   * @param given settings of its services
   */
  constructor(run: readonly string[] = services, given: Readonly<Record<string, string>> = {}) {
    this.#services = run;
    this.#given = given;
  }

  /** The origin of the API, behind HAProxy. */
  get origin() {
    return `http://127.0.0.1:${this.#settings.ports.gateway}`;
  }

  /** Starts PostgreSQL, Redis with a replica and Sentinel, NATS and the emulators of other services. */
  async startServers(): Promise<void> {
    await ensureTools(['haproxy']);
    const state = join(this.#folder, 'state');
    chmodSync(this.#folder, 0o711);
    const port = await freeStackPort();
    this.#settings = readSettings({ VAULTSVC_DIR: state, VAULTSVC_PORT: String(port) }, []);
    const { paths } = this.#settings;
    for (const folder of [state, paths.logs, paths.children, paths.objects, paths.auditLog])
      mkdirSync(folder, { recursive: true, mode: 0o711 });
    this.#secrets = loadSecrets(paths);
    const binaries = await ensureBinaries();
    const prepared = await prepareInfrastructure(this.#settings, this.#secrets, binaries);
    for (const server of [...prepared, ...(await this.#redisGroup(binaries))])
      this.servers.set(server.name, server);
    await Promise.all(prepared.map((server) => server.start()));
    for (const name of ['redis replica', 'sentinel']) await this.server(name).start();
    this.postgresUrl = await provisionDatabase(this.server('postgres').url, this.#secrets);
  }

  async #redisGroup(binaries: Awaited<ReturnType<typeof ensureBinaries>>) {
    const { paths, ports } = this.#settings;
    const passwords = this.#secrets.redis_passwords;
    const place = async (name: string) => ({
      binaries,
      port: await freePort(),
      dataDir: join(paths.dir, name),
      logPath: join(paths.logs, `${name}.log`),
      childrenDir: paths.children,
    });
    const replica = redisPlan({
      ...(await place('redis-replica')),
      passwords,
      isDurable: true,
      replicaOf: ports.redis,
    });
    const password = passwords[inspector] ?? '';
    const sentinel = sentinelPlan({ ...(await place('sentinel')), primaryPort: ports.redis, password });
    this.#sentinelUrl = sentinel.url;
    return [new Server({ ...replica, name: 'redis replica' }), new Server(sentinel)];
  }

  server(name: string): Server {
    const server = this.servers.get(name);
    if (!server) throw new Error(`no server ${name}`);
    return server;
  }

  /** Runs the migrations of a release, one service after the other. */
  async migrate(tree: ReleaseTree): Promise<void> {
    for (const service of this.#services.filter((name) => statefulServices.includes(name))) {
      const env = migrationEnvironment(service, this.#settings, this.#secrets, process.env);
      await run(process.execPath, [program(tree, service, 'migrate')], { env });
    }
  }

  /** @returns the API key of a first account */
  async bootstrap(tree: ReleaseTree): Promise<string> {
    const env = serviceEnvironment('auth', this.#settings, this.#secrets, process.env);
    const args = ['--email', 'owner@localhost.test', '--organization', 'Rolling'];
    const { stdout } = await run(process.execPath, [program(tree, 'auth', 'bootstrap'), ...args], { env });
    return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { api_key: string }).api_key;
  }

  /** Starts two copies of each service, and HAProxy. */
  async startServices(tree: ReleaseTree): Promise<void> {
    for (const copy of this.names()) {
      const [privatePort, httpPort, linkPort, filesPort] = [
        await freePort(),
        await freePort(),
        await freePort(),
        await freePort(),
      ];
      this.#ports.set(copy, { privatePort, httpPort, linkPort, filesPort });
    }
    await Promise.all(this.names().map((copy) => this.startCopy(copy, tree)));
    const { paths, ports } = this.#settings;
    const backends = this.names()
      .filter((copy) => copy.startsWith('gateway'))
      .map((copy) => this.#portsOf(copy))
      .map(({ httpPort, privatePort }) => ({ port: httpPort, privatePort }));
    const place = { logPath: join(paths.logs, 'haproxy.log'), childrenDir: paths.children };
    const plan = haproxyPlan({ dir: join(paths.dir, 'haproxy'), port: ports.gateway, backends, ...place });
    this.servers.set('haproxy', await new Server(plan).start());
  }

  /** The names of all copies; the gateway last, as releases are rolled out. */
  names(): string[] {
    const ordered = this.#services.toSorted((a, b) => Number(a === 'gateway') - Number(b === 'gateway'));
    return ordered.flatMap((service) => Array.from({ length: COPIES }, (_, i) => `${service} ${i + 1}`));
  }

  /** Starts a copy of a release and waits until it is ready. */
  async startCopy(copy: string, tree: ReleaseTree): Promise<void> {
    this.copies.set(copy, await new Server(this.#plan(copy, tree)).start());
  }

  copy(name: string): Server {
    const server = this.copies.get(name);
    if (!server) throw new Error(`no copy ${name}`);
    return server;
  }

  /** Whether every copy is ready. */
  async isReady(): Promise<boolean> {
    const probes = [...this.copies.values()].map(({ url }) => probeHttp(`${url}/readyz`));
    return Promise.all(probes).then(
      () => true,
      () => false,
    );
  }

  /** Stops all and deletes the data. */
  async stop(): Promise<void> {
    await Promise.all([...this.copies.values()].map((server) => server.kill('SIGKILL')));
    await Promise.all([...this.servers.values()].map((server) => server.stop()));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #portsOf(copy: string): CopyPorts {
    const ports = this.#ports.get(copy);
    if (!ports) throw new Error(`no ports of ${copy}`);
    return ports;
  }

  #plan(copy: string, tree: ReleaseTree) {
    const [service = ''] = copy.split(' ');
    const ports = this.#portsOf(copy);
    const { paths } = this.#settings;
    const url = `http://127.0.0.1:${ports.privatePort}`;
    const own = {
      PRIVATE_PORT: String(ports.privatePort),
      HTTP_PORT: String(ports.httpPort),
      LINK_PORT: String(ports.linkPort),
      FILES_PORT: String(ports.filesPort),
      SHUTDOWN_DELAY_MS,
      OLDEST_RELEASE: tree.oldestRelease,
      RATE_LIMIT_PER_MINUTE: '100000000',
      RATE_LIMIT_PER_IP_PER_MINUTE: '100000000',
    };
    const given = serviceEnvironment(service, this.#settings, this.#secrets, process.env);
    return {
      name: copy,
      url,
      command: process.execPath,
      args: [...nodeFlags, program(tree, service, 'main')],
      env: { ...given, ...own, ...this.#redis(service, tree), ...this.#given },
      stopSignal: 'SIGTERM' as const,
      probe: () => probeHttp(`${url}/readyz`),
      logPath: join(paths.logs, `${copy.replace(' ', '-')}.log`),
      childrenDir: paths.children,
    };
  }

  /** Releases before Sentinel use the server itself, which is the primary until it fails. */
  #redis(service: string, { name }: ReleaseTree): Record<string, string> {
    const password = this.#secrets.redis_passwords[service];
    if (password === undefined || name !== 'this tree') return {};
    const url = redisUrl(0, service, password).replace('127.0.0.1:0', primaryName);
    return { REDIS_URL: url, REDIS_SENTINELS: this.#sentinelUrl };
  }
}

function program({ folder }: ReleaseTree, service: string, name: string): string {
  return join(folder, 'apps', service, 'dist', `${name}.js`);
}
