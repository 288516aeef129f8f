import { ListSparkHistory } from './history/list-spark-history.handler.js';
import { PurgeSparkLabels } from './history/purge-spark-labels.job.js';
import { SparkHistoryRepository } from './history/spark-history.repository.js';
import { SparkLabelRepository } from './history/spark-label.repository.js';

export const historyHandlers = [ListSparkHistory];

export const historyJobs = [PurgeSparkLabels];

export const historyProviders = [SparkHistoryRepository, SparkLabelRepository];
