import type { AccountCredential, CallContext, Operation, PublicOperation } from '@vaultsvc/contracts';
import { api, type Api, type ApiResponse, type Credentials } from '@vaultsvc/testing/http';
import { mintApiKey, mintSession } from '@vaultsvc/tools-testing/accounts';
import type { Platform } from '@vaultsvc/tools-testing/platform';
import type { Tenant } from '../../access/tenant.js';
import { assertDeclared, reasonOfError, Violation, type Answer, type CallParts } from './answer.js';
import { assertDocumented } from './documented-statuses.js';
import { learn } from './effects.js';
import type { Figures } from './figures.js';
import { callOverHttp } from './http-caller.js';
import { assertFirstReading, assertVisible, whyRefused, SHARED } from './invariants.js';
import { Journal, type Attempt } from './journal.js';
import { KnownValues, type Owner } from './known-values.js';
import { callOverWire, type SignedCaller } from './wire-caller.js';

/** One of the two accounts of a sequence. Calls of `tenant`, which create samples, are checked and recorded too. */
interface Participant {
  readonly tenant: Tenant;
  readonly credentials: Readonly<Record<'key' | 'session', AccountCredential>>;
}

/** A sequence of calls by two fresh accounts, with the model of what they may see. */
export class Sequence {
  readonly known = new KnownValues();
  readonly journal = new Journal();
  readonly #participants = new Map<Owner, Participant>();

  private constructor(
    readonly platform: Platform,
    readonly figures: Figures,
  ) {}

  static async start(platform: Platform, figures: Figures): Promise<Sequence> {
    const sequence = new Sequence(platform, figures);
    for (const owner of ['A', 'B'] as const)
      sequence.#participants.set(owner, await sequence.#participant(owner));
    return sequence;
  }

  async #participant(owner: Owner): Promise<Participant> {
    const { platform } = this;
    const ownerSession = await mintSession(platform.auth);
    const accountId = ownerSession.accountId as string;
    const { apiKey, context } = await mintApiKey(platform.auth, { accountId });
    const session: AccountCredential = {
      kind: 'session',
      accountId,
      userId: ownerSession.subject,
      credentialId: ownerSession.sessionId,
      role: 'owner',
      seat: 'full',
    };
    const tenant = {
      platform,
      accountId,
      ownerSession,
      apiKey,
      owner: this.#recorded(owner, 'session', api(platform.url, { jwt: ownerSession.token })),
      key: this.#recorded(owner, 'key', api(platform.url, { key: apiKey })),
    };
    const values = {
      account_id: accountId,
      user_id: ownerSession.subject,
      api_key_id: context.credential.credentialId,
    };
    this.known.add({ owner, values }, {}, false);
    return { tenant, credentials: { key: context.credential, session } };
  }

  tenant(owner: Owner): Tenant {
    return (this.#participants.get(owner) as Participant).tenant;
  }

  /** Whether a step must not end or change it: the credentials of the sequence itself. */
  isOwnCredential(value: string): boolean {
    return [...this.#participants.values()].some(({ tenant: { ownerSession }, credentials }) =>
      [ownerSession.subject, ownerSession.sessionId, credentials.key.credentialId].includes(value),
    );
  }

  /** Makes a call and checks its answer against the contract and the model. */
  send(attempt: Attempt): Promise<Answer> {
    return this.#checked(attempt, () =>
      attempt.via === 'http' ? this.#overHttp(attempt) : this.#overWire(attempt),
    );
  }

  async #checked(attempt: Attempt, call: () => Promise<Answer>): Promise<Answer> {
    const refusal = whyRefused(attempt, this.known);
    const answer = await call().catch((error: unknown) => {
      this.journal.note(`${attempt.op.name} fails`);
      throw error;
    });
    this.journal.add(attempt, answer);
    this.figures.countCall(attempt.op, attempt.via, answer);
    assertDeclared(attempt.op, answer);
    if (attempt.via === 'http') await assertDocumented(this.platform, attempt.op, answer);
    if (refusal !== undefined && answer.reason === undefined)
      throw new Violation(`${attempt.op.name} succeeds although ${refusal}`);
    assertFirstReading(attempt, answer, this.known);
    assertVisible(attempt, answer, this.known);
    // What a share of the other account shows belongs to that account.
    if (!SHARED.has(attempt.op.name)) learn(attempt, answer, this.known);
    return answer;
  }

  async #overHttp(attempt: Attempt): Promise<Answer> {
    return callOverHttp(this.platform, attempt, await this.#credentialsOf(attempt));
  }

  async #credentialsOf({ owner, credential }: Attempt): Promise<Credentials> {
    const { apiKey, ownerSession } = this.tenant(owner);
    if (typeof credential === 'object') return credential;
    if (credential === 'key') return { key: apiKey };
    if (credential === 'session') return { jwt: ownerSession.token };
    if (credential === 'none') return {};
    const session = await mintSession(this.platform.auth, { sessionType: 'identity_only' });
    return { jwt: session.token };
  }

  #overWire(attempt: Attempt): Promise<Answer> {
    const { credentials } = this.#participants.get(attempt.owner) as Participant;
    const { credential } = attempt;
    const isOfAccount = credential === 'key' || credential === 'session';
    return callOverWire(
      this.#signedCaller(),
      attempt,
      isOfAccount ? credentials[credential] : { kind: 'none' },
    );
  }

  /** The one place that sends on the wire: the bus of the harness, which signs as the gateway does. */
  #signedCaller(): SignedCaller {
    const { bus } = this.platform.harness;
    return {
      call: (op: Operation, parts: object, context: CallContext) => bus.call(op, parts as never, context),
    };
  }

  #recorded(owner: Owner, credential: 'key' | 'session', client: Api): Api {
    const call = async (op: PublicOperation, input: object, headers: Record<string, string> = {}) => {
      const vat = headers['X-Vault-Access-Token'];
      const attempt = { owner, via: 'http', credential, op, parts: input as CallParts, vat } as const;
      let response: ApiResponse | undefined;
      await this.#checked(attempt, async () => {
        response = await client.call(op, input as never, headers);
        return answerOf(response);
      });
      return response;
    };
    return { send: client.send, call: call as Api['call'] };
  }
}

function answerOf({ status, error, data }: ApiResponse): Answer {
  return { status, reason: error && reasonOfError(error), data, details: error?.details };
}
