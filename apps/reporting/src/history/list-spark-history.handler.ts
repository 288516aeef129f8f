import { Controller } from '@nestjs/common';
import {
  AppError,
  type AccountContext,
  type Actor,
  type ActorSummary,
  type Input,
} from '@vaultsvc/contracts';
import { listSparkHistory, type HistoryItem, type SparkHistory } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { ActorNames } from '../audit/actor-names.js';
import { itemOf, subjectOf, type Item } from './history-item.js';
import { SparkHistoryRepository } from './spark-history.repository.js';
import { SparkLabelRepository } from './spark-label.repository.js';

/** Lists the history of Sparks and links of files. */
@Controller()
export class ListSparkHistory {
  constructor(
    private readonly history: SparkHistoryRepository,
    private readonly labels: SparkLabelRepository,
    private readonly names: ActorNames,
  ) {}

  @Handles(listSparkHistory)
  async handle({ query }: Input<typeof listSparkHistory>, context: AccountContext): Promise<SparkHistory> {
    const { accountId } = context.credential;
    const created_by = creatorFilterOf(query.created_by, context);
    const { rows, ...page } = await this.history.listCreations(accountId, { ...query, created_by });
    const subjects = rows.map(subjectOf);
    const creations = rows.map((entry, index) => ({ entry, subject: subjects[index] as string }));
    const outcomes = await this.history.listOutcomes(accountId, creations);
    const items = rows.map((row, index) =>
      itemOf(
        row,
        outcomes.filter(({ subject }) => subject === subjects[index]),
      ),
    );
    return { items: await this.#present(items, context), ...page };
  }

  async #present(items: readonly Item[], context: AccountContext): Promise<HistoryItem[]> {
    const { accountId } = context.credential;
    const sparkIds = items.flatMap(({ spark_id }) => spark_id ?? []);
    const [labels, names] = await Promise.all([
      this.labels.find(accountId, sparkIds),
      this.names.find(items.flatMap(namedIdsOf), context),
    ]);
    const summary = (actor: Actor): ActorSummary => ({ ...actor, name: names.get(actor.id) ?? null });
    return items.map((item) => ({
      ...item,
      label: labels.get(item.spark_id ?? ''),
      created_by: summary(item.created_by),
      openings: item.openings.map((opening) => ({ ...opening, opened_by: summary(opening.opened_by) })),
      ended_by: item.ended_by && summary(item.ended_by),
    }));
  }
}

/** A member sees what they created. Throws ROLE_REQUIRED for another creator. */
function creatorFilterOf(
  asked: string | undefined,
  { credential: { role, userId } }: AccountContext,
): string | undefined {
  if (role !== 'member') return asked;
  if (userId === null || (asked !== undefined && asked !== userId)) throw new AppError('ROLE_REQUIRED');
  return userId;
}

function namedIdsOf({ created_by, ended_by, openings }: Item): string[] {
  return [created_by, ...(ended_by ? [ended_by] : []), ...openings.map(({ opened_by }) => opened_by)]
    .filter(({ kind }) => kind === 'person' || kind === 'api_key')
    .map(({ id }) => id);
}
