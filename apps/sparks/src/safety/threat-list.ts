import { HashList } from './hash-list.js';
import type { ListDiff, ThreatType, WebRiskApi } from './web-risk-api.js';

/** The local copy of one of Web Risk's lists. */
export class ThreatList {
  #list: HashList | undefined;
  #versionToken = '';
  #nextDiffAtMs: number | undefined;

  constructor(
    readonly type: ThreatType,
    private readonly api: WebRiskApi,
  ) {}

  /** Whether it has been loaded. While Web Risk is unreachable, the last version stays in use. */
  get isLoaded(): boolean {
    return this.#list !== undefined;
  }

  /** The earliest useful time of the next update, in epoch ms; undefined without a recommendation. */
  get nextDiffAtMs(): number | undefined {
    return this.#nextDiffAtMs;
  }

  prefixesOf(hash: Buffer): readonly Buffer[] {
    return this.#list?.prefixesOf(hash) ?? [];
  }

  /**
   * Applies the latest diff. On a checksum mismatch it loads the whole list again.
   * @throws for any failure; the last version stays in use
   */
  async update(signal: AbortSignal): Promise<void> {
    if (this.#versionToken !== '' && (await this.#applyDiff(signal))) return;
    this.#versionToken = '';
    if (!(await this.#applyDiff(signal)))
      throw new Error(`the list ${this.type} does not match its checksum`);
  }

  async #applyDiff(signal: AbortSignal): Promise<boolean> {
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
