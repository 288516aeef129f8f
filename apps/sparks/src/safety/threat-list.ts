import { HashList } from './hash-list.js';
import type { ListDiff, ThreatType, WebRiskApi } from './web-risk-api.js';

/** One of Web Risk's lists as it is known here. */
export class ThreatList {
  #list: HashList | undefined;
  #versionToken = '';
  #nextDiffAtMs: number | undefined;

  constructor(
    readonly type: ThreatType,
    private readonly api: WebRiskApi,
  ) {}

  /** Whether it has ever been here whole. It stays when Web Risk is away, and is what was true then. */
  get isKnown(): boolean {
    return this.#list !== undefined;
  }

  /** Before this an update is in vain, in epoch ms; undefined when nothing was said. */
  get nextDiffAtMs(): number | undefined {
    return this.#nextDiffAtMs;
  }

  prefixesOf(hash: Buffer): readonly Buffer[] {
    return this.#list?.prefixesOf(hash) ?? [];
  }

  /**
   * Brings it up to date. A list that is not what its checksum says is asked for again, whole. @throws for any failure;
   * the list stays as it was.
   */
  async update(signal: AbortSignal): Promise<void> {
    if (this.#versionToken !== '' && (await this.#advance(signal))) return;
    this.#versionToken = '';
    if (!(await this.#advance(signal))) throw new Error(`the list ${this.type} does not match its checksum`);
  }

  async #advance(signal: AbortSignal): Promise<boolean> {
    const diff = await this.api.computeDiff(this.type, this.#versionToken, signal);
    const list = await this.#changedBy(diff);
    if (!list) return false;
    this.#list = list;
    this.#versionToken = diff.versionToken;
    this.#nextDiffAtMs = diff.nextDiffAtMs;
    return true;
  }

  async #changedBy({ isReset, removals, additions, checksum }: ListDiff): Promise<HashList | undefined> {
    const from = isReset ? HashList.empty : (this.#list ?? HashList.empty);
    const list = await from.with({ removals, additions }).catch(() => undefined);
    return list?.checksum.equals(checksum) ? list : undefined;
  }
}
