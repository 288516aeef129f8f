/** Access to the API of a cluster. */
export interface ClusterAccess {
  /** Origin of the API: `https://kubernetes.default.svc` for a pod. */
  readonly origin: string;
  readonly token: string;
  readonly namespace: string;
}

const TIMEOUT_MS = 10_000;

/** Names this program to the API, which keeps the members of objects apart by who writes them. */
const FIELD_MANAGER = 'vaultsvc-provision';

/** Secrets of a namespace. */
export class KubernetesSecrets {
  readonly #access: ClusterAccess;

  constructor(access: ClusterAccess) {
    this.#access = access;
  }

  /**
   * @returns the texts of a Secret by their keys, or nothing when there is none
   * @throws when the API does not answer, or refuses
   */
  async read(name: string): Promise<Record<string, string> | undefined> {
    const response = await this.#send('GET', name);
    if (response.status === 404) return undefined;
    await assertOk(response, `reading the Secret ${name}`);
    const { data = {} } = (await response.json()) as { data?: Record<string, string> };
    const textOf = (value: string) => Buffer.from(value, 'base64').toString();
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, textOf(value)]));
  }

  /**
   * Makes a Secret, or changes it to these texts (server-side apply).
   * @throws when the API does not answer, or refuses
   */
  async apply(name: string, texts: Readonly<Record<string, string>>): Promise<void> {
    const { namespace } = this.#access;
    const labels = { 'app.kubernetes.io/part-of': 'vaultsvc', 'app.kubernetes.io/managed-by': FIELD_MANAGER };
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace, labels },
      type: 'Opaque',
      // `stringData` is not for server-side apply: keys that are left out would stay.
      data: Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, encode(value)])),
    };
    const response = await this.#send('PATCH', name, secret);
    await assertOk(response, `writing the Secret ${name}`);
  }

  #send(method: 'GET' | 'PATCH', name: string, body?: object): Promise<Response> {
    const { origin, token, namespace } = this.#access;
    const query = method === 'PATCH' ? `?fieldManager=${FIELD_MANAGER}&force=true` : '';
    return fetch(`${origin}/api/v1/namespaces/${namespace}/secrets/${name}${query}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/apply-patch+yaml' },
      // YAML includes JSON.
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
}

function encode(text: string) {
  return Buffer.from(text).toString('base64');
}

/** The body of an error names the missing right; it contains nothing of the Secret. */
async function assertOk(response: Response, action: string) {
  if (response.ok) return;
  const { message = response.statusText } = (await response.json().catch(() => ({}))) as { message?: string };
  throw new Error(`${action}: ${response.status} ${message}`);
}
