import { sampleOf, vaultAccessOf } from '../../access/samples.js';
import { unsealVault } from '@vaultsvc/contracts/vaults';
import { vaultOfCall, type LinkDomain, type PublicOperation } from '@vaultsvc/contracts';
import { isSuccess, type CallParts } from './answer.js';
import type { CallStep } from './call-step.js';
import { nameOfField, pathNamesOf } from './contract-names.js';
import { Reference } from './input-arbitraries.js';
import type { Attempt, Credential } from './journal.js';
import { unknownLike, type KnownRecord, type Owner } from './known-values.js';
import type { Sequence } from './sequence.js';

type Params = Readonly<Record<string, string>>;

/** The resources that a call names: path parameters, and a token of their vault. */
export interface Place {
  readonly params: Params;
  readonly vat: string | undefined;
  /** The rest of the input of a sample. */
  readonly sample?: CallParts;
}

/** Chooses the resources of calls among those that the sequence knows, and creates missing ones. */
export class CallResolver {
  constructor(private readonly sequence: Sequence) {}

  /** Resources of an owner for an operation: existing ones, or those of a new sample. */
  async place(op: PublicOperation, owner: Owner, step: CallStep): Promise<Place> {
    return (step.isFresh ? undefined : await this.#existing(op, owner, step.pick)) ?? this.sample(op, owner);
  }

  /** Resources of an owner whose part of the path up to this level differs from that of another place. */
  async placeBeside(other: Place, level: number, { op, owner, pick }: CallStep): Promise<Place> {
    const upper = pathNamesOf(op).slice(0, level);
    const isOther = (values: KnownRecord['values']) =>
      upper.some(({ param, name }) => values[name] !== other.params[param]);
    return (await this.#existing(op, owner, pick, isOther)) ?? this.sample(op, owner);
  }

  async #existing(
    op: PublicOperation,
    owner: Owner,
    pick: number,
    fits: (values: KnownRecord['values']) => boolean = () => true,
  ): Promise<Place | undefined> {
    const names = pathNamesOf(op);
    if (names.length === 0) return op.params ? undefined : { params: {}, vat: undefined };
    const records = this.sequence.known
      .find(
        owner,
        names.map(({ name }) => name),
      )
      .filter(
        ({ values }) =>
          fits(values) && !this.sequence.isOwnCredential(values[names.at(-1)?.name ?? ''] ?? ''),
      );
    const record = records[pick % records.length];
    if (!record || !isComplete(op, names.length)) return undefined;
    const params = paramsOf(op, record);
    const vaultId = vaultOfCall(op, params, undefined);
    const vat = vaultId === undefined ? undefined : await this.token(owner, vaultId);
    return vaultId !== undefined && vat === undefined ? undefined : { params, vat };
  }

  /** The input of a successful call, with new resources. */
  async sample(op: PublicOperation, owner: Owner): Promise<Place> {
    const {
      params = {},
      query,
      body,
      ...rest
    } = (await sampleOf(op)(this.sequence.tenant(owner))) as CallParts;
    const vat = vaultAccessOf(rest).headers?.['X-Vault-Access-Token'];
    return { params, vat, sample: { query, body } };
  }

  /** A live Vault Access Token of a vault; unseals it with its master key if there is none. */
  async token(owner: Owner, vault_id: string): Promise<string | undefined> {
    const { known } = this.sequence;
    const [record] = known.find(owner, ['vat', 'vault_id'], { vault_id });
    const vmk = known.anyRecordWith('vault_id', vault_id, 'vmk')?.['vmk'];
    if (record || vmk === undefined) return record?.values['vat'];
    const parts = { params: { vault_id }, body: { vmk } };
    const answer = await this.sequence.send({
      owner,
      via: 'http',
      credential: 'key',
      op: unsealVault,
      parts,
      vat: undefined,
    });
    return isSuccess(answer) ? (answer.data as { vat: string }).vat : undefined;
  }

  /** The call of a step at a place. */
  attempt(
    { op, owner, via, asSession, body, query, surplus }: CallStep,
    { params, vat, sample }: Place,
  ): Attempt {
    const other = owner === 'A' ? 'B' : 'A';
    const isSample = sample !== undefined && Object.keys(surplus).length === 0;
    const content = isSample ? sample.body : body && this.#resolved(body, op, owner, params);
    const planted = Object.fromEntries(
      Object.entries(surplus).map(([name, value]) => [
        name,
        value === 'of the other account' ? this.sequence.known.find(other, [name])[0]?.values[name] : value,
      ]),
    );
    const parts: CallParts = {
      params,
      ...(query && { query: isSample ? sample.query : this.#resolved(query, op, owner, params) }),
      ...(content && { body: { ...content, ...planted } }),
    };
    const domain = op.http.surface === 'links' ? this.#domainOf(params['link_code'] ?? '') : undefined;
    const token = vat ?? this.#tokenOfBody(op, owner, content);
    return { op, owner, via, credential: credentialOf(op, asSession), parts, vat: token, domain };
  }

  /** A Vault Access Token that is known for the vault that the body names. */
  #tokenOfBody(op: PublicOperation, owner: Owner, body: object | undefined): string | undefined {
    const vaultId = op.access.vatOf === undefined ? undefined : vaultOfCall(op, {}, body);
    return vaultId && this.sequence.known.find(owner, ['vat'], { vault_id: vaultId })[0]?.values['vat'];
  }

  /** Durable links of files have an origin of their own (OPEN-22). */
  #domainOf(linkCode: string): LinkDomain {
    return this.sequence.known.anyRecordWith('link_code', linkCode, 'public_url') ? 'files' : 'link';
  }

  #resolved(fields: object, op: PublicOperation, owner: Owner, params: Params): Record<string, unknown> {
    const resolve = (value: unknown): unknown => {
      if (value instanceof Reference) return this.#referenced(value, op, owner, params);
      return isObject(value) ? this.#resolved(value, op, owner, params) : value;
    };
    const entries = Object.entries(fields).map(([field, value]) => [field, resolve(value)]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
  }

  #referenced(
    { field, source, pick, otherwise }: Reference,
    { access }: PublicOperation,
    owner: Owner,
    params: Params,
  ): unknown {
    const name = nameOfField(field);
    const { known } = this.sequence;
    // Without another credential a token of the body is one, and with a foreign one the caller would be the other account.
    const other = (owner === 'A') === (access.credential !== 'none') ? 'B' : 'A';
    const records = {
      own: () => nearest(known.find(owner, [name], params), params),
      unknown: () => known.find(owner, [name]),
      foreign: () => known.find(other, [name]),
      ended: () => known.findEnded(owner, [name], name),
    }[source]();
    const value = records[pick % records.length]?.values[name];
    if (value === undefined) return otherwise instanceof Reference ? undefined : otherwise;
    return source === 'unknown' ? unknownLike(name, value) : value;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Records that share a value with the path, if there are any. */
function nearest(records: readonly KnownRecord[], params: Params): readonly KnownRecord[] {
  const near = records.filter(({ values }) =>
    Object.entries(params).some(([name, value]) => values[name] === value),
  );
  return near.length > 0 ? near : records;
}

export function paramsOf(op: PublicOperation, { values }: KnownRecord): Params {
  return Object.fromEntries(pathNamesOf(op).map(({ param, name }) => [param, values[name] ?? '']));
}

/** False for paths with parameters of a closed list, which no reply contains. */
function isComplete({ http }: PublicOperation, known: number): boolean {
  return [...http.path.matchAll(/\{\w+\}/g)].length === known;
}

function credentialOf({ access }: PublicOperation, asSession: boolean): Credential {
  if (access.credential === 'none') return 'none';
  if (access.credential === 'optional') return asSession ? 'session' : 'none';
  if (access.credential === 'identity-only') return asSession ? 'session' : 'identity';
  return access.credential === 'key' && !asSession ? 'key' : 'session';
}
